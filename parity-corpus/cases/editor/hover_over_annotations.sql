-- materialize ducklake://shop/orders key=id on_schema_change=fail
-- partitioned hourly tz=Asia/Tokyo
-- on kafka topic=a
SELECT {partition} AS hour, 1 AS id
