-- materialize ducklake://shop/orders key=id,ID
SELECT 1 AS id, 'a' AS name
