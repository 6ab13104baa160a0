-- materialize ducklake://shop/orders
-- tag heavy
-- t
SELECT 1 AS id
