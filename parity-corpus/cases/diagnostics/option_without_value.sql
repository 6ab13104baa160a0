-- materialize ducklake://shop/orders key= append
SELECT 1 AS id, 'a' AS name
