-- materialize ducklake://shop/orders key="id",'na me'
SELECT 1 AS id, 2 AS "na me"
