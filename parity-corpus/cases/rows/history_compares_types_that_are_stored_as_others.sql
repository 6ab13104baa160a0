-- materialize ducklake://shop/people key=id history
SELECT 1 AS id, sum(5) AS total, INTERVAL 90 MINUTE AS span
