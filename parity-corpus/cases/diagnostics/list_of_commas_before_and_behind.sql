-- materialize ducklake://shop/orders key=,,id,,
SELECT 1 AS id, 'a' AS name
