-- partitioned daily start=2024-06-01
-- materialize ducklake://shop/orders
SELECT {partition} AS name
