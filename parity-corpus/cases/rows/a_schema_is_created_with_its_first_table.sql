-- materialize ducklake://shop/crm.customer
SELECT 1 AS id
