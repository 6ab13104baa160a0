-- materialize ducklake://shop/orders
-- data_test relationships "a->b" -> ducklake://w/t.'x y'
SELECT 1 AS "a->b"
