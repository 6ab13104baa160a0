-- on s3:///raw/x tag heavy
SELECT 1 AS id, 'a' AS name
