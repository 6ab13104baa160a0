-- retry 0
-- retry -1
-- retry 4294967296
-- retry
SELECT 1 AS id, 'a' AS name
