-- materialize ducklake://shop/orders
-- data_test unique 'order "id"'
-- data_test not_null "it's"
SELECT 1 AS "order ""id""", 2 AS "it's"
