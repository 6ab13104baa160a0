-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
WITH months AS (SELECT shop, jan, feb * 2 AS feb, mar FROM dl.months)
SELECT u.shop, u.month, u.sales, v.q, v.first, v.second
FROM (UNPIVOT months ON jan, feb, mar INTO NAME month VALUE sales) u,
  months UNPIVOT ((first, second) FOR q IN ((jan, feb) AS a, (feb, mar) AS b)) v
