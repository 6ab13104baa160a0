-- materialize ducklake://shop/customers key=id history
SELECT 1 AS id, 2 AS name, 3 AS more
