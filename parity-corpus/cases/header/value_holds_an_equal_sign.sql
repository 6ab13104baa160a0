-- on kafka filter=a=b url=http://x/?y=z
SELECT 1 AS id, 'a' AS name
