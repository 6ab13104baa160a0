-- materialize ducklake://mart/größen
ATTACH 'ducklake://shop' AS "läden"; -- 🦆
CREATE TEMP TABLE fees AS SELECT id, amount FROM "läden".fees;
CREATE TEMP MACRO gross(net) AS net * 1.2;
WITH base AS (SELECT '😀' AS mark, o.id, o.net + o.tax AS "total net" FROM "läden".orders o)
SELECT b.mark, b.id, gross(b."total net") AS total, f.amount, sum(f.amount) OVER w AS running, unclear
FROM base b JOIN fees f USING (id), "läden".far
WINDOW w AS (ORDER BY b.id)
