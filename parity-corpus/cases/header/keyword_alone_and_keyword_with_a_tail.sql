-- pipelines
-- retry3
-- tag:heavy
-- on-call
SELECT 1 AS id, 'a' AS name
