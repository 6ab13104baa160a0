-- materialize manual s3:///out/x.parquet
COPY (SELECT 1) TO 's3:///out/x.parquet'
