-- use f/lib/a
-- use f/lib/b
-- use f/lib/a
SELECT 1 AS id, 'a' AS name
