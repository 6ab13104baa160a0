-- materialize
-- materialize manual
SELECT 1 AS id, 'a' AS name
