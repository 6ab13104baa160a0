-- partitioned dynamic key=tenant
-- materialize ducklake://shop/orders
SELECT 1 AS id
