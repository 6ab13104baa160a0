-- materialize ducklake://shop/orders apend
SELECT 1 AS id, 'a' AS name
