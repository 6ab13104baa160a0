-- materialize ducklake://shop/customers key=id history
SELECT 1 AS id, 'a' AS name
