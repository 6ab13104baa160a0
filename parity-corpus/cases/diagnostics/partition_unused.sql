-- materialize ducklake://shop/orders
-- partitioned daily
SELECT 1 AS id, 'a' AS name
