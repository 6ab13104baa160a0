-- materialize ducklake://shop/orders
-- data_test accepted_values "a = b" = x,y
SELECT 1 AS "a = b"
