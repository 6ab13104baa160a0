-- materialize ducklake://shop/orders
-- partitioned daily
-- on s3:///{partition}
-- on ducklake://shop/raw_{partition}
SELECT {partition} AS day
