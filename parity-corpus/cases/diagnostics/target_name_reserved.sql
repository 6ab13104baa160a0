-- materialize ducklake://shop/customers_CURRENT
SELECT 1 AS id, 'a' AS name
