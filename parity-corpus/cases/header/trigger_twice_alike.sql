-- trigger all
-- trigger all
SELECT 1 AS id, 'a' AS name
