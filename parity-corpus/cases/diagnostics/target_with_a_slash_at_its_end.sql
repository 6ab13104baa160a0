-- materialize ducklake://shop/orders/
SELECT 1 AS id, 'a' AS name
