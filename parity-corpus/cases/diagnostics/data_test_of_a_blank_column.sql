-- materialize ducklake://shop/orders
-- data_test unique " "
-- data_test unique ''
SELECT 1 AS id, 'a' AS name
