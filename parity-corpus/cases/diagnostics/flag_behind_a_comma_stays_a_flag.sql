-- materialize ducklake://shop/orders key=id history track=name, append
SELECT 1 AS id, 'a' AS name
