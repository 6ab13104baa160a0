COPY (FROM read_parquet(['s3://in/a.parquet', 's3://in/b.parquet'])) TO 's3:///out.parquet' (FORMAT parquet);
FROM 's3:////double', "s3://quoted/x", read_csv('local.csv')
