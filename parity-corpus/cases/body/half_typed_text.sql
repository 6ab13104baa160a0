ATTACH 'ducklake://shop' AS dl;
SELECT o. FROM dl.orders o JOIN dl. WHERE (
