-- column a <- s3:///raw/x.csv.amount, $res:f/db.b, volume://v/p.c, dbt://p/s/t.d
SELECT 1 AS a
