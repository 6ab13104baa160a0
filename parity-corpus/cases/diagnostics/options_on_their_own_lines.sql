-- materialize ducklake://shop/orders
-- key = id
-- track: name , tier
-- deletes=close
-- on_schema_change fail
-- unique_key: id
SELECT 1 AS id, 'a' AS name
