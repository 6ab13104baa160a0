-- pipeline of the shop
SELECT 1 AS id, 'a' AS name
