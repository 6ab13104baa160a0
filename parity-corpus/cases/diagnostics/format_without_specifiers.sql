-- materialize ducklake://shop/orders
-- partitioned monthly format=month
SELECT {partition} AS month
