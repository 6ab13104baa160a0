-- on s3:///raw/{partition}/x.csv
-- on s3://store/x
-- on datatable://app/users
-- on $res:f/db
-- on volume://v/p
-- on dbt://p/s/t
ATTACH 'ducklake://shop' AS dl;
FROM dl.orders
