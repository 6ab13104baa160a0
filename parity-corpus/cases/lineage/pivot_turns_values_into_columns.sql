-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
WITH sales AS (SELECT region, year, net - tax AS gain, cost FROM dl.sales),
by_year AS (PIVOT sales ON year IN (2024, 2025 AS this_year) USING sum(gain) AS gain, count(*) AS n GROUP BY region),
open AS (PIVOT dl.orders ON status USING sum(net) GROUP BY customer)
SELECT b."2024_gain", b.this_year_n, b.region, o.customer, o.paid, p.small, p.shop
FROM by_year b
JOIN open o ON o.customer = b.region
JOIN dl.parcels PIVOT (max(weight) FOR size IN ('small', 'large') GROUP BY shop) AS p ON p.shop = b.region
