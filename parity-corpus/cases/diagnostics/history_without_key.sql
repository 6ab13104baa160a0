-- materialize ducklake://shop/orders history
SELECT 1 AS id, 'a' AS name
