-- materialize ducklake://shop/orders
-- data_test unique id
-- data_test unique id
-- data_test not_null "name"
-- data_test f/tests/sane
-- data_test sane
SELECT 1 AS id, 'a' AS name
