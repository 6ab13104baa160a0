-- materialize ducklake://shop/select key="order id"
SELECT 1 AS "order id", 2 AS "a""b"
