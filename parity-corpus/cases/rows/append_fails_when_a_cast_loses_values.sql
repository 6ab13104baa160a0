-- materialize ducklake://shop/orders append
SELECT 1 AS id
