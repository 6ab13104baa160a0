-- materialize ducklake://shop/orders key="id, name ,ID"
SELECT 1 AS id, 'a' AS name
