-- materialize ducklake://shop/orders key = id, name append
SELECT 1 AS id, 'a' AS name
