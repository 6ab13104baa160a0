-- materialize ducklake://shop/orders Append
SELECT 1 AS id, 'a' AS name
