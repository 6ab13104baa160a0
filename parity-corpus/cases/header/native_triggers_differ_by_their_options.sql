-- on kafka topic=a group=x
-- on kafka group=x topic=a
-- on kafka topic=b
-- on kafka
SELECT 1 AS id, 'a' AS name
