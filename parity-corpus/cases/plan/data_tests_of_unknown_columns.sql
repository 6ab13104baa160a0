-- materialize ducklake://shop/orders
-- data_test unique id
-- data_test row_count >= 1
-- data_test freshness seen <= 1d severity=warn
-- data_test expression "amount >= 0"
SELECT * FROM somewhere
