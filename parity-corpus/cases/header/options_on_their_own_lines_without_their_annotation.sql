-- on_schema_change=fail
-- tz=UTC
-- partitioned dynamic key=tenant
-- start=2024-01-01
SELECT 1
