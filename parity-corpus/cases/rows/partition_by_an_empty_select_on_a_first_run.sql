-- partitioned daily
-- materialize ducklake://shop/orders
SELECT 1 AS id, {partition} AS day WHERE false
