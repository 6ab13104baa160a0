-- freshness 1.5h
-- freshness -1h
-- freshness +1h
-- freshness h
-- freshness ١h
-- freshness 1hh
-- freshness 3weeks
SELECT 1 AS id, 'a' AS name
