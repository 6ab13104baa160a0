-- materialize ducklake://shop/orders
ATTACH 'ducklake://shop' AS dl;
SELECT o. FROM dl.orders o
