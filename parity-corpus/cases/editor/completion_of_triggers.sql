-- on s
SELECT 1 AS id
