-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
SELECT o.id, unnest({'city': o.address.city, zip: o.zip + 1}) AS ignored, unnest(o.lines) AS line
FROM dl.orders o
