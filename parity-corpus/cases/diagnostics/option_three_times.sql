-- materialize ducklake://shop/orders key=a append key=b key=id
SELECT 1 AS id, 'a' AS name
