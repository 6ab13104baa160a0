-- freshness 0
-- debounce 0s
SELECT 1 AS id, 'a' AS name
