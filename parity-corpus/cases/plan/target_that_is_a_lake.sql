-- materialize ducklake://shop
SELECT 1 AS id
