-- materialize ducklake://shop/orders key="order id, name"
SELECT 1 AS "order id", 2 AS name
