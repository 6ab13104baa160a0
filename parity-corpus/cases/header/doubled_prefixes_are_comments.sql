--- materialize ducklake://shop/orders
/// tag heavy
## retry 3
-----
-- -- tag heavy
-- tag light
SELECT 1 AS id, 'a' AS name
