-- materialize ducklake://shop/orders
SELECT 1 AS id) UNION (SELECT 2
