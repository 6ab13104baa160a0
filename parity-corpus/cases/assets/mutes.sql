-- mute ducklake://shop/orders
-- mute s3:///raw/x
-- mute all
-- mute all
SELECT 1 AS id, 'a' AS name
