-- materialize 'ducklake://shop/orders' key=id
-- on "s3:///raw/x"
-- mute 'ducklake://shop/orders'
SELECT 1 AS id, 'a' AS name
