-- materialize ducklake://shop/customers key=id history deletes=close
SELECT 1 AS id, 'a' AS name
