-- materialize ducklake://shop/orders key=id append
-- unique_key name
-- append
SELECT 1 AS id, 'a' AS name
