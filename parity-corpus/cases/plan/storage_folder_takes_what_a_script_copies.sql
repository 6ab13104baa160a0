COPY (SELECT 1 AS id) TO 's3:///out/orders/part.parquet' (FORMAT parquet);
COPY (FROM 's3:///out/orders/part.parquet') TO 's3:///summary.csv';
SELECT * FROM glob('s3:///out/*/*.parquet');
