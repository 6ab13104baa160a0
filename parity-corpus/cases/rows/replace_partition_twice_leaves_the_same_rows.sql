-- partitioned daily
-- materialize ducklake://shop/orders
-- data_test unique id
SELECT id, DATE '2024-01-01' + (id % 2)::INTEGER AS day FROM range(4) t(id) WHERE wm_partition(DATE '2024-01-01' + (id % 2)::INTEGER) = {partition}
