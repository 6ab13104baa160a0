-- materialize ducklake://shop/orders append key=id
SELECT 1 AS id, 'a' AS name
