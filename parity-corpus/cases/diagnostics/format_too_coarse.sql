-- materialize ducklake://shop/orders
-- partitioned daily format=%Y-%m
SELECT {partition} AS day
