-- mute all of them
-- mute All
-- mute everything
-- mute ducklake://shop/orders for now
SELECT 1 AS id, 'a' AS name
