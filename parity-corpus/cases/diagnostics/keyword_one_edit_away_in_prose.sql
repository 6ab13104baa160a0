-- materialise the orders of a day
-- in the shop
-- used by f/x and others
-- no s3 here
SELECT 1 AS id, 'a' AS name
