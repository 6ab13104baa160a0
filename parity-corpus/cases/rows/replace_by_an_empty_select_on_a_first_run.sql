-- materialize ducklake://shop/orders
SELECT 1 AS id, NULL AS nothing WHERE false
