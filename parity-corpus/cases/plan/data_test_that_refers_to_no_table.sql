-- materialize ducklake://shop/orders
-- data_test relationships id -> s3:///raw/ids.parquet.id
SELECT 1 AS id
