-- materialize ducklake://shop/orders keys=id colour=blue
SELECT 1 AS id, 'a' AS name
