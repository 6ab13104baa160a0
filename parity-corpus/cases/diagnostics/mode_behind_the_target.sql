-- materialize ducklake://shop/orders key=id manual
SELECT 1 AS id, 'a' AS name
