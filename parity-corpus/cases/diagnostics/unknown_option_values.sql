-- materialize ducklake://shop/orders key=id history deletes=purge on_schema_change=synch
SELECT 1 AS id, 'a' AS name
