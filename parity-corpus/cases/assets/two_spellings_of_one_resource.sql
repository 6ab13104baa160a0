-- on $res:f/db
-- on res://f/db
SELECT 1 AS id, 'a' AS name
