-- materialize ducklake://shop/orders append
ATTACH 'ducklake://shop' AS dl;
SELECT max(id) + 1 AS id FROM dl.orders
