-- materialize ducklake://shop/a
ATTACH 'ducklake://shop' AS dl;
FROM dl.b
