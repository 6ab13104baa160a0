-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
SELECT
  o.customer,
  count(*) AS orders,
  sum(CASE WHEN o.paid THEN o.net + o.tax ELSE 0 END) FILTER (WHERE o.status <> 'void') AS gross,
  rank() OVER (PARTITION BY o.region ORDER BY o.placed DESC) AS place,
  avg(o.net) OVER w AS mean
FROM dl.orders o
GROUP BY ALL
WINDOW w AS (PARTITION BY o.shop)
