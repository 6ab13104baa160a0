-- materialize ducklake://shop/daily on_schema_change=sync
-- partitioned daily
SELECT 1 AS id, 'a' AS name, 5::TINYINT AS n
