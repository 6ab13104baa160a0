-- materialize ducklake://shop/orders
SELECT 1 AS id;
SELECT 2 AS id;
