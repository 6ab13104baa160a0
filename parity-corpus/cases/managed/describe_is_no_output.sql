-- materialize ducklake://shop/orders
DESCRIBE t
