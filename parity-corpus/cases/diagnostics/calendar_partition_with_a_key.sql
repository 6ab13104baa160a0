-- materialize ducklake://shop/orders
-- partitioned daily key=tenant
SELECT {partition} AS day
