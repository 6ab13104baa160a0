-- on s3:///raw/orders.csv when the shop uploads 🦆
SELECT 1 AS id, 'a' AS name
