-- on kafka f/topic
-- on kafka topic=a f/topic
-- on ducklake
-- on scedule
SELECT 1 AS id, 'a' AS name
