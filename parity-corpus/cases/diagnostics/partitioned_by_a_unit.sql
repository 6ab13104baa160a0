-- materialize ducklake://shop/orders
-- partitioned by month
SELECT 1 AS id WHERE wm_partition IS NULL
