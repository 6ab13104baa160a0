-- materialize the orders
-- materialize ducklake://shop/orders
-- materialize ducklake://shop/others
SELECT 1 AS id, 'a' AS name
