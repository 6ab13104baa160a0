-- materialize ducklake://shop/customers key=id
SELECT 1 AS id, 'a' AS name
