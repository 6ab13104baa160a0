-- materialize scd2 ducklake://shop/orders key=id history
SELECT 1 AS id, 'a' AS name
