-- tag heavy
SET threads = 2;
-- retry many
SELECT 1 AS id, 'a' AS name
