-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
WITH lines AS (SELECT * EXCLUDE (secret) REPLACE (upper(sku) AS sku) RENAME (qty AS quantity) FROM dl.lines),
priced AS (SELECT *, quantity * price AS total FROM lines)
SELECT sku, quantity, total, secret FROM priced
