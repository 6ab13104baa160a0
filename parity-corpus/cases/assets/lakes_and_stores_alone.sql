-- on ducklake://lake
-- on s3://store
-- on s3://store/
-- on volume://v
-- on datatable
SELECT 1 AS id, 'a' AS name
