-- materialize ducklake://shop/orders append on_schema_change=sync
SELECT 1 AS id, 2 AS more
