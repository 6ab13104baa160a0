-- materialize ducklake://shop/orders on_schema_change=fail
-- partitioned daily
SELECT {partition} AS day
