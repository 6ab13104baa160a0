-- partitioned monthly
-- materialize ducklake://shop/orders
SELECT 1 AS id, {partition} AS month
