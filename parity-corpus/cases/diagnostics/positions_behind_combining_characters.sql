-- é
-- on s3:///é/名前/🦆🦆 odd é
SELECT 1 AS id, 'a' AS name
