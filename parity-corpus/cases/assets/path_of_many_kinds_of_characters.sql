-- on s3:///raw/é🦆/a=b&c?d#e.csv debounce=5s
-- on s3:///it's/"x"
SELECT 1 AS id, 'a' AS name
