-- materialize ducklake://shop/orders
-- data_test unique "order id
SELECT 1 AS id, 'a' AS name
