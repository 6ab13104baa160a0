-- materialize ducklake://shop/orders
SELECT 1 AS _WM_PARTITION
