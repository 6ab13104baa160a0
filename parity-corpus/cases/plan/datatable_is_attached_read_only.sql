-- materialize ducklake://shop/customers
ATTACH 'datatable://CRM' AS c (SCHEMA 'public');
ATTACH 'datatable';
-- ATTACH 'datatable://no' in a comment
SELECT id, 'datatable://crm' AS name FROM c.customers JOIN main.people USING (id)
