-- materialize ducklake://shop/orders
ATTACH 'ducklake://shop' AS dl;
SELECT id, name FROM dl.orders
