-- materialize ducklake://shop/orders
ATTACH 'ducklake://shop' AS dl (SNAPSHOT_VERSION 3);
SELECT id, name FROM dl.orders
