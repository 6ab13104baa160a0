-- dimension region = CASE WHEN x THEN 1 END where y
-- dimension where = z
SELECT 1 AS x, 2 AS y, 3 AS z
