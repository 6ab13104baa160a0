-- materialize ducklake://shop/orders key=id track=name deletes=close
SELECT 1 AS id, 'a' AS name
