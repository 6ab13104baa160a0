-- materialize scd2 ducklake://shop/customers key=id track=name
SELECT 1 AS id, 'a' AS name
