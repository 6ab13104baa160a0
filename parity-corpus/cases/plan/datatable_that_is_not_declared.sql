-- materialize ducklake://shop/customers
ATTACH 'datatable://cmr' AS crm;
SELECT id FROM crm.customers
