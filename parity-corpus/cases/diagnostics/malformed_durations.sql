-- freshness soon
-- debounce 1 h
-- retry 3 5min
-- on s3:///x debounce=1w
SELECT 1 AS id, 'a' AS name
