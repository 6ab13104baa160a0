-- tag heavy
/* -- retry 3 */
-- retry 4
SELECT 1 AS id, 'a' AS name
