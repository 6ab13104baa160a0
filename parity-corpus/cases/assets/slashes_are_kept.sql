-- on s3:///a
-- on s3:////a
-- on s3:///a//b/
-- on s3://store//a
SELECT 1 AS id, 'a' AS name
