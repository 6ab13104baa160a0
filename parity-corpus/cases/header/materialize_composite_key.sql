-- materialize ducklake://shop/orders key=id,name
SELECT 1 AS id, 'a' AS name
