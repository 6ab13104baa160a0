-- materialize ducklake://shop/orders
-- partitioned daily
SELECT getvariable('wm_partition') AS day
