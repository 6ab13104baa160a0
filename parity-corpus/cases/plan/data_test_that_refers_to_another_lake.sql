-- materialize ducklake://shop/orders
-- data_test relationships id -> ducklake://crm/customers.id
SELECT 1 AS id
