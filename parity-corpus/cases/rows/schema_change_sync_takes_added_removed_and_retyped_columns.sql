-- materialize ducklake://shop/orders append on_schema_change=sync
SELECT 1 AS id, 'a' AS name, 5 AS n
