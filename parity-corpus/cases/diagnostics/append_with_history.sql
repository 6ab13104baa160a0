-- materialize ducklake://shop/orders key=id append history
SELECT 1 AS id, 'a' AS name
