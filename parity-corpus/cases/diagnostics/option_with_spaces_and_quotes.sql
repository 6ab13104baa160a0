-- materialize ducklake://shop/orders key = "order id"
SELECT 1 AS "order id"
