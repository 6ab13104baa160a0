-- materialize ducklake://shop/orders
-- unique_key id
-- append
SELECT 1 AS id, 'a' AS name
