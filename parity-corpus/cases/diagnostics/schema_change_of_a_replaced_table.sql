-- materialize ducklake://shop/orders on_schema_change=fail
SELECT 1 AS id, 'a' AS name
