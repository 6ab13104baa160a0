-- on s3:///raw/x
-- on s3:///raw/x
-- on s3:///raw/x debounce=5s
-- on s3:////raw/x
-- on schedule
-- on schedule
SELECT 1 AS id, 'a' AS name
