-- materialize ducklake://shop/customers history
SELECT 1 AS id, 'a' AS name
