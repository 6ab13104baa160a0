-- materialize ducklake://shop/orders key=id history track=ID,name
SELECT 1 AS id, 'a' AS name
