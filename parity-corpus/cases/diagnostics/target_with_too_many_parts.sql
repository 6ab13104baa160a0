-- materialize ducklake://shop/a.b.orders
SELECT 1 AS id, 'a' AS name
