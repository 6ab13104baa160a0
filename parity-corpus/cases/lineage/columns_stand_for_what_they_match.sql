-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
WITH lines AS (SELECT id, net_price, tax_price, note FROM dl.lines)
SELECT COLUMNS('id|note'), round(COLUMNS('.*_price') * rate.factor), coalesce(*COLUMNS(* EXCLUDE (id))) AS any_of
FROM lines, (SELECT factor FROM dl.rates) rate
