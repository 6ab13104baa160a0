-- materialize ducklake://shop/orders
-- partitioned daily tz=+02:00
SELECT {partition} AS day
