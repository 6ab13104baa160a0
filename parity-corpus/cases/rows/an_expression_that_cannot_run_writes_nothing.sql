-- materialize ducklake://shop/orders
-- data_test expression "amuont >= 0"
SELECT 1 AS amount
