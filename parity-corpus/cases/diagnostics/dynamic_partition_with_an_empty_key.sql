-- materialize ducklake://shop/orders
-- partitioned dynamic key=
SELECT 1 AS id, 'a' AS name
