-- measure n = where x > 1
SELECT 1 AS id, 'a' AS name
