-- retry 3 5s
SELECT 1 AS id, 'a' AS name
