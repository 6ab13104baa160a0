-- Orders of the shop, one row per order.
-- owner: data team
-- — MATERIALIZE ducklake://shop/orders
-- MATERIALIZE ducklake://shop/orders
-- Tag Heavy Machinery
SELECT 1 AS id, 'a' AS name
