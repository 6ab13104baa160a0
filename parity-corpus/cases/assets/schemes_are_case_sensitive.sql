-- on S3:///x
-- on DUCKLAKE://a/b
-- on http://x/y
SELECT 1 AS id, 'a' AS name
