-- materialize ducklake://shop/orders key="id"x append
SELECT 1 AS id, 'a' AS name
