-- materialize ducklake://shop/orders
-- data_test accepted_values price = 1.25,2.0
-- data_test accepted_values price = 1.3,2
-- data_test accepted_values price = 1.35
-- data_test accepted_values n = 1.5
-- data_test accepted_values n = 1.0,2
-- data_test accepted_values day = 2024-01-01 12:00
-- data_test accepted_values day = 2024-01-01 00:00
-- data_test accepted_values x = 0.1
SELECT * FROM (VALUES (1.3::DECIMAL(3,1), 1, DATE '2024-01-01', 0.1::DOUBLE), (2.0, 2, NULL, NULL)) v(price, n, day, x)
