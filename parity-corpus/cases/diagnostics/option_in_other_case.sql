-- materialize ducklake://shop/orders KEY=id
SELECT 1 AS id, 'a' AS name
