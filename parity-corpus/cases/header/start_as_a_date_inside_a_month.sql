-- materialize ducklake://shop/orders
-- partitioned monthly start=2024-02-29
SELECT {partition} AS month
