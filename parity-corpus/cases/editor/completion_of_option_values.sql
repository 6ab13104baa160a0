-- materialize ducklake://shop/orders on_schema_change=
-- partitioned daily tz=E
SELECT 1 AS id, {partition} AS day
