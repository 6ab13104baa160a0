-- retry 3 5s then give up
SELECT 1 AS id, 'a' AS name
