-- materialise ducklake://shop/orders
-- data-test unique id
-- partitionned daily
-- tga heavy
-- Retry 3
SELECT 1 AS id, 'a' AS name
