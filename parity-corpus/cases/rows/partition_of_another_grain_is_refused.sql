-- materialize ducklake://shop/orders
-- partitioned daily
SELECT range AS id, DATE '2024-01-30' + range::INTEGER AS day FROM range(4) WHERE wm_partition(day) = {partition}
