-- on webhook 'path'
SELECT 1 AS id, 'a' AS name
