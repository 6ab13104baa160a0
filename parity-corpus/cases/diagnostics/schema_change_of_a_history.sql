-- materialize ducklake://shop/orders key=id history on_schema_change=ignore
SELECT 1 AS id, 'a' AS name
