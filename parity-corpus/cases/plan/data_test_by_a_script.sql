-- materialize ducklake://shop/orders
-- data_test f/tests/sane
SELECT 1 AS id
