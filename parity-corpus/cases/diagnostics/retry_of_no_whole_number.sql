-- retry 3.0
-- retry three
-- retry 3s
-- retry 0x3
-- retry +
SELECT 1 AS id, 'a' AS name
