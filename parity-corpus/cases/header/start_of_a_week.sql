-- materialize ducklake://shop/orders
-- partitioned weekly start=2024-W05
SELECT {partition} AS week
