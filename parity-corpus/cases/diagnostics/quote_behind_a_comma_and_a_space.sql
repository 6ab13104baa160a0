-- materialize ducklake://shop/orders key=id, "order id" append
SELECT 1 AS id, 2 AS "order id"
