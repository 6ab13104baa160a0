-- materialize ducklake://shop/orders
-- partitioned daily
-- on s3:///raw/{partition}/x.csv
SELECT {partition} AS day
