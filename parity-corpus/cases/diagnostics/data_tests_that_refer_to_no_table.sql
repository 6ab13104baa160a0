-- materialize ducklake://shop/orders
-- data_test relationships id -> s3:///ids.id
-- data_test relationships id -> ducklake.id
-- data_test relationships id -> datatable.id
-- data_test relationships id -> ducklake://shop/a/b.id
-- data_test relationships id -> datatable://app/users.id
SELECT 1 AS id, 'a' AS name
