-- materialize ducklake://shop/orders
-- data_test relationships id name -> ducklake://crm/customers.id
-- data_test relationships id -> ducklake://crm/customers.id name
SELECT 1 AS id, 'a' AS name
