-- mat

SELECT 1 AS id
