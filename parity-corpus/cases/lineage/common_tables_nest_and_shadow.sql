-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
WITH base AS (SELECT id, net AS value FROM dl.orders),
both_kinds(id, value) AS (
  SELECT id, value FROM base
  UNION ALL
  (WITH base AS (SELECT id, refund FROM dl.refunds) SELECT id, -refund FROM base)
),
ranked AS (SELECT *, row_number() OVER (PARTITION BY id ORDER BY value) AS n FROM both_kinds)
SELECT id, value, n FROM ranked
