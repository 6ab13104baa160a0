-- materialize ducklake://shop/orders
-- partitioned monthly format=%m/%Y start=06/2024
SELECT {partition} AS month
