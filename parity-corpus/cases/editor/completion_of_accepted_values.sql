-- materialize ducklake://shop/orders
-- data_test accepted_values status = open,
SELECT 1 AS id, 'open' AS status
