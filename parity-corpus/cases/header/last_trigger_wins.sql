-- on s3:///a
-- on s3:///b
-- trigger all
-- trigger some
-- trigger any
SELECT 1 AS id, 'a' AS name
