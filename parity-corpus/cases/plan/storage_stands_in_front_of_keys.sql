-- materialize ducklake://shop/orders
-- partitioned dynamic key=tenant
-- s3:///in/the/header
ATTACH 's3:///reference/shops.duckdb' AS shops (READ_ONLY);
CREATE TEMP VIEW a AS FROM 's3:///raw/{partition}/a.parquet'; -- 's3:///in/a/comment'
CREATE TEMP TABLE b AS FROM read_csv(['s3:///raw/b.csv', 's3://other/b.csv', E's3:///it\'s.csv'], sep = ';');
SELECT 's3:///a/value' AS id, /* 's3:///in/a/comment' */ 'see s3:///b' AS name
FROM a, b, "s3:///quoted.parquet", read_json($$s3:///c/{partition}.json$$), 's3:///d.parquet' d
WHERE a.path = 's3:///another/value'
