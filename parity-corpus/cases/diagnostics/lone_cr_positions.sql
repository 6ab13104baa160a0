-- tag a-- tag b 🦆
-- retry 🦆
SELECT 1 AS id, 'a' AS name
