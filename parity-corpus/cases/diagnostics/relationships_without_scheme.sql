-- materialize ducklake://shop/orders
-- data_test relationships id -> crm/customers.id
SELECT 1 AS id, 'a' AS name
