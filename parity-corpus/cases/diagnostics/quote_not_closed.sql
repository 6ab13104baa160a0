-- materialize ducklake://shop/orders key="order id append
SELECT 1 AS id, 'a' AS name
