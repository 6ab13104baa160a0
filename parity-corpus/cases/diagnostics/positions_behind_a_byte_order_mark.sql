-- retry 0
SELECT 1 AS id, 'a' AS name
