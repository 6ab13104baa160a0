-- materialize ducklake://shop/orders
-- partitioned dynamic key=tenant
SELECT id FROM 's3:///raw/{partition}/a.parquet'
