-- materialize ducklake://shop/orders
-- partitioned
-- partitioned day
-- partitioned hourli
-- partitioned dynamic
-- partitioned dynamic key = x
SELECT 1 AS id, 'a' AS name
