-- materialize ducklake://shop/orders
-- partitioned hourly start=2024-01-01T05
SELECT {partition} AS hour
