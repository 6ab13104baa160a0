-- materialize ducklake://shop/orders merged key=id by the shop
SELECT 1 AS id, 'a' AS name
