-- materialize ducklake://shop/orders key=id history deletes=ignore
SELECT 1 AS id, 'a' AS name
