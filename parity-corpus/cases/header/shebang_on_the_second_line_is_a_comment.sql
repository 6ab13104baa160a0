-- tag heavy
#!retry 3
-- retry 2
SELECT 1 AS id, 'a' AS name
