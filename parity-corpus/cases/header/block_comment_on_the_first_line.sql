/* shop */ -- tag heavy
-- retry 3
SELECT 1 AS id, 'a' AS name
