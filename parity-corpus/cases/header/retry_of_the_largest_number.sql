-- retry 4294967295
SELECT 1 AS id, 'a' AS name
