-- materialize ducklake://shop/orders key=id key=name
SELECT 1 AS id, 'a' AS name
