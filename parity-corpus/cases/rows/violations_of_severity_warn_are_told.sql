-- materialize ducklake://shop/orders
-- data_test unique id severity=warn
-- data_test row_count >= 1
-- data_test expression "amount >= 0" severity=warn
SELECT * FROM (VALUES (1, 3), (1, 4), (2, 5)) v(id, amount)
