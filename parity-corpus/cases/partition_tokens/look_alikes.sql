-- materialize ducklake://shop/orders
-- partitioned daily
SELECT '{Partition}', '{ partition }', '{partition_id}', '{partition', x'{partition}', {'partition': 1}
