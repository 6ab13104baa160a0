-- materialize ducklake://shop/orders
SELECT id FROM 's3:///raw/a//b.parquet'
