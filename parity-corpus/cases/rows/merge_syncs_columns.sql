-- materialize ducklake://shop/orders key=id on_schema_change=sync
-- data_test not_null id
SELECT 1 AS id, 'a' AS name, 5 AS n UNION ALL SELECT 2, 'b', 6
