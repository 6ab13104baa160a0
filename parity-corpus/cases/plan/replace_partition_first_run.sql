-- partitioned daily tz=America/New_York
-- materialize ducklake://shop/crm.orders
ATTACH 'ducklake://shop' AS dl;
SELECT * FROM dl.raw WHERE wm_partition(at) = {partition}
