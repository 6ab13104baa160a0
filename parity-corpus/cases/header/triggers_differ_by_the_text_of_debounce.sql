-- on s3:///x debounce=60
-- on s3:///x debounce=60s
-- on s3:///x debounce=1m
-- on s3:///x debounce=60s
SELECT 1 AS id, 'a' AS name
