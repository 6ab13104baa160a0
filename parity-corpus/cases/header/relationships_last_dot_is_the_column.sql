-- materialize ducklake://shop/orders
-- data_test relationships id -> ducklake://shop/crm.customer.id
-- data_test relationships id -> ducklake.id
-- data_test relationships id -> datatable://main/users.id
-- data_test relationships id -> ducklake://shop/t."a b"
SELECT 1 AS id, 'a' AS name
