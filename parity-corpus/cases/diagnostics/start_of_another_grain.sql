-- materialize ducklake://shop/orders
-- partitioned monthly start=2024-W05
SELECT {partition} AS month
