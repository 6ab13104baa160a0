-- use f/lib/stats
-- use f
SELECT 1 AS id
