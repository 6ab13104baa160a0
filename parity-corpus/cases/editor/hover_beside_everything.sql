
-- plain

SELECT 1 AS id
