-- materialize ducklake://shop/orders
-- partitioned daily format=%F
SELECT {partition} AS day
