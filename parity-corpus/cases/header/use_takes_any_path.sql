-- use ./stats
-- use /abs/lib
-- use f/lib.sql
-- use /
SELECT 1 AS id, 'a' AS name
