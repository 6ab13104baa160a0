-- materialize ducklake://shop/orders
SELECT '{partition}' AS day
