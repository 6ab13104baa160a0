-- materialize ducklake://mart/out
SELECT r.id, upper(r.name) AS name FROM read_parquet('s3:///raw/{partition}/*.parquet') r
