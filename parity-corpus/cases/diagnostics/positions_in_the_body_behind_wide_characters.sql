-- materialize ducklake://shop/orders
-- 🦆é
SELECT 'é🦆' AS id, {partition} AS day
