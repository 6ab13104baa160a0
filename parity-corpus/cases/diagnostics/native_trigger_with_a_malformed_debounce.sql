-- on schedule debounce=soon
SELECT 1 AS id, 'a' AS name
