-- materialize ducklake://shop/orders
-- partitioned Daily
SELECT 1 AS id WHERE wm_partition IS NULL
