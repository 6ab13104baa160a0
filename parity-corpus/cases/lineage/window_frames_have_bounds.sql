-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
SELECT
  sum(o.net) OVER (PARTITION BY o.shop ORDER BY o.placed ROWS BETWEEN o.back PRECEDING AND CURRENT ROW) AS recent,
  avg(o.net) OVER (w RANGE BETWEEN UNBOUNDED PRECEDING AND o.days + 1 FOLLOWING EXCLUDE TIES) AS mean
FROM dl.orders o
WINDOW w AS (ORDER BY o.day)
