-- on ducklake://lake/table
-- on ducklake://lake/schema.table
-- on datatable://db/table
-- on s3:///key
-- on s3://store/key
-- on $res:f/db
-- on res://f/db
-- on volume://v/p
-- on dbt://project/schema/table
SELECT 1 AS id, 'a' AS name
