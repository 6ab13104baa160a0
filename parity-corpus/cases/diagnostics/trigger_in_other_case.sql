-- on s3:///a
-- trigger All
SELECT 1 AS id, 'a' AS name
