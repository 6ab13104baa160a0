-- materialize ducklake://shop/orders
-- partitioned daily start=2024-13-01
SELECT {partition} AS day
