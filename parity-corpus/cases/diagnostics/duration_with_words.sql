-- freshness 1h at least
SELECT 1 AS id, 'a' AS name
