-- materialize ducklake://shop/orders
-- data_test 
-- data_test unique 
-- data_test relationships id -> ducklake://shop/orders.
SELECT 1 AS id
