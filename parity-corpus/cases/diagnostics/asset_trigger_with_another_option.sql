-- on s3:///x retry=3
-- on s3:///y Debounce=5s
SELECT 1 AS id, 'a' AS name
