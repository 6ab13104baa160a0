-- start=2024-01-01
-- materialize ducklake://shop/orders
-- partitioned daily
-- tz = Europe/Paris
-- format=%Y%m%d
SELECT {partition} AS day
