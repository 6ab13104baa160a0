-- materialize ducklake://shop/orders append=true history=false
SELECT 1 AS id, 'a' AS name
