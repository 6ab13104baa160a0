-- materialize ducklake://shop/customers key=id history track=nmae
SELECT 1 AS id, 'a' AS name
