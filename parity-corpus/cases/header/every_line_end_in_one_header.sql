-- tag heavy-- retry 2
-- freshness 1h

SELECT 1 AS id, 'a' AS name
