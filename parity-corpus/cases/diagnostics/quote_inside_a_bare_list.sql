-- materialize ducklake://shop/orders key=id,"order id"
SELECT 1 AS id, 'a' AS name
