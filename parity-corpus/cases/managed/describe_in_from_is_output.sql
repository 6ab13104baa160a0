-- materialize ducklake://shop/orders
FROM (DESCRIBE t)
