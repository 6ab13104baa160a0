-- trigger all of them
SELECT 1 AS id, 'a' AS name
