-- materialize ducklake://shop/orders
-- partitioned daily tz="Europe/Paris" start='2024-01-01'
SELECT {partition} AS day
