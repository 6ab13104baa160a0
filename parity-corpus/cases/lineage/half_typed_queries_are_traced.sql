-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
SELECT o.id, o.net + AS n, o. FROM dl.orders o WHERE (
