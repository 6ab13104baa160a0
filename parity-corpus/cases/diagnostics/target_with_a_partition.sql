-- materialize ducklake://shop/orders_{partition}
-- partitioned daily
SELECT {partition} AS day
