-- materialize ducklake://shop/orders
-- data_test accepted_values name = a,"b, c
SELECT 1 AS id, 'a' AS name
