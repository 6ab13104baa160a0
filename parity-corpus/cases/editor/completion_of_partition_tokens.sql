-- materialize ducklake://shop/orders
-- partitioned daily
SELECT {p AS day
