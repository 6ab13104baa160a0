-- freshness 5min
-- debounce 2Hours
-- retry 3 1day
-- on s3:///x debounce=30Secs
SELECT 1 AS id, 'a' AS name
