-- materialize ducklake://shop/orders key =id append
SELECT 1 AS id, 'a' AS name
