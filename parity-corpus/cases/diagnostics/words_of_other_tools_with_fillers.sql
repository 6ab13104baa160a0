-- materialised as ducklake://shop/orders append
-- partition_by day
-- partitions by month
SELECT 1 AS id, 'wm_partition' AS x
