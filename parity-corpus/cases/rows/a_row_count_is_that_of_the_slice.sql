-- partitioned daily
-- materialize ducklake://shop/orders
-- data_test row_count = 2
SELECT id FROM range(4) t(id) WHERE wm_partition(DATE '2024-01-01' + (id % 2)::INTEGER) = {partition}
