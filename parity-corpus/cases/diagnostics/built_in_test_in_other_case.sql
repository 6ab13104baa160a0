-- materialize ducklake://shop/orders
-- data_test Unique id
-- data_test Not_null
SELECT 1 AS id, 'a' AS name
