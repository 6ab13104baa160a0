-- materialize ducklake://shop/orders
SELECT id FROM read_parquet($$s3:///raw/a.parquet$$)
