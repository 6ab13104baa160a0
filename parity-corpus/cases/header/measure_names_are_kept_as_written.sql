-- measure N = count(*)
-- measure n = sum(x)
-- measure "net revenue" = sum(y)
SELECT 1 AS x, 2 AS y
