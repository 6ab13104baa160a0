-- materialize ducklake://shop/orders
-- partitioned hourly tz=Asia/Tokyo
SELECT {partition} AS hour
