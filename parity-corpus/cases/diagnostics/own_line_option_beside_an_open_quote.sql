-- materialize ducklake://shop/orders key="order id
-- on_schema_change=fail
SELECT 1 AS id, 'a' AS name
