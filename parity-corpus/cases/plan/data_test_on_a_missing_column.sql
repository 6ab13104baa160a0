-- materialize ducklake://shop/orders
-- data_test unique order_id
SELECT 1 AS id
