-- measure n
-- measure n =
-- measure = count(*)
-- measure n = count(*) where
-- dimension two words = x
SELECT 1 AS id, 'a' AS name
