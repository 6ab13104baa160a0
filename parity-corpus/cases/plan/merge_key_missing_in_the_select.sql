-- materialize ducklake://shop/orders key=order_id
SELECT 1 AS id, 'a' AS name
