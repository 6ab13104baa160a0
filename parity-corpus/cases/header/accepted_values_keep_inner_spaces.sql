-- materialize ducklake://shop/orders
-- data_test accepted_values name =  to be paid ,  paid
SELECT 1 AS id, 'a' AS name
