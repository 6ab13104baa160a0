-- tag a
-- tag b
-- freshness 1h
-- freshness 2h
-- pipeline
-- pipeline
-- retry 1
-- retry 2
SELECT 1 AS id, 'a' AS name
