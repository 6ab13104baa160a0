-- materialize ducklake://shop/orders
-- partitioned daily start=2023-02-29
SELECT {partition} AS day
