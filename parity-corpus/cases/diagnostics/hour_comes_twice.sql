-- materialize ducklake://shop/orders
-- partitioned hourly tz=Europe/Paris
SELECT {partition} AS hour
