-- materialize ducklake://shop/orders
-- partitioned daily
SELECT 'a {partition} {partition}', E'\'{partition}', $$ {partition}$$
FROM read_parquet('s3:///raw/{partition}/x.parquet')
