-- materialize ducklake://shop/totals
SELECT sum(n) AS total, [sum(n)] AS totals FROM (VALUES (1), (NULL), (2)) AS t(n)
