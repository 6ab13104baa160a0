-- materialize ducklake
-- column id <- ducklake.id, datatable.id
-- data_test relationships id -> ducklake.id
-- mute ducklake
-- on ducklake
SELECT 1 AS id, 'a' AS name
