-- freshness 90
-- debounce 2m
-- retry 03 1d
SELECT 1 AS id, 'a' AS name
