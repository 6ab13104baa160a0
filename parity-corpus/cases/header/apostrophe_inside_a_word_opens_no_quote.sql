-- materialize ducklake://shop/orders key=it's,id
SELECT 1 AS "it's", 2 AS id
