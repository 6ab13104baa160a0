-- materialize ducklake://shpo/orders
SELECT 1 AS id
