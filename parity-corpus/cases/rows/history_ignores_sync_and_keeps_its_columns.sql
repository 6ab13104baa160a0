-- materialize ducklake://shop/people key=id history
SELECT 1 AS id, 'a' AS name
