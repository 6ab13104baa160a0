-- on ducklake://
-- on s3://
-- on s3:///
-- on datatable://
-- on $res:
-- on res://
-- on volume://
-- on dbt://
SELECT 1 AS id, 'a' AS name
