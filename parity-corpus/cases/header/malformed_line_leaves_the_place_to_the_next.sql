-- freshness soon
-- freshness 1h
-- tag two words
-- tag heavy
-- retry 0
-- retry 2
SELECT 1 AS id, 'a' AS name
