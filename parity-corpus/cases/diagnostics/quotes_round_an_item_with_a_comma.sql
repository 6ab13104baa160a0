-- materialize ducklake://shop/orders key="a,b",id
SELECT 1 AS "a,b", 2 AS id
