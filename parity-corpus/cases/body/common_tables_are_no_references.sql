ATTACH 'ducklake://shop' AS dl;
USE dl;
WITH orders AS (FROM dl.orders), recent AS (WITH inner_one AS (FROM lines) FROM inner_one)
FROM orders, recent, inner_one, dl.recent
