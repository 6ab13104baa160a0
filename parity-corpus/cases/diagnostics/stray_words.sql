-- materialize ducklake://shop/orders the orders of the shop key=id one row each
SELECT 1 AS id, 'a' AS name
