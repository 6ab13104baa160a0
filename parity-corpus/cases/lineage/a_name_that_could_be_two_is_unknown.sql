-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
SELECT
  o.id,
  name,
  o.net AS amount,
  amount * 2 AS twice,
  (SELECT max(price) FROM dl.lines) AS top
FROM dl.orders o JOIN dl.customers c ON o.customer = c.id
