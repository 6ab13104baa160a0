-- materialize ducklake://shop/orders
-- partitioned daily tz=Europe/Pariss
SELECT {partition} AS day
