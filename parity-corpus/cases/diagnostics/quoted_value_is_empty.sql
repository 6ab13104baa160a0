-- materialize ducklake://shop/orders key='' track=" "
SELECT 1 AS id, 'a' AS name
