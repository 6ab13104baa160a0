-- on ducklake:shop
-- on //shop/orders
-- on shop.orders
-- on ducklake:/
-- on $res
-- on $res/f/db
-- on file:///x
SELECT 1 AS id, 'a' AS name
