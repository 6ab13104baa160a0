-- materialize manual ducklake://shop/orders
ATTACH 'ducklake://shop' AS dl;
INSERT INTO dl.lines FROM dl.orders
