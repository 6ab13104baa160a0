-- materialize ducklake://shop/customers
SELECT 1 AS id, 'a' AS name
