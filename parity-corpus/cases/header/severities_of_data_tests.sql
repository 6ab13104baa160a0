-- materialize ducklake://shop/orders
-- data_test unique id severity=warn
-- data_test not_null "order id" severity='warn'
-- data_test accepted_values severity = warn,error
-- data_test accepted_values name = a,"b c" severity=warn
-- data_test relationships id -> ducklake://shop/t."a b" severity=warn
-- data_test row_count>=1 severity=error
-- data_test expression "severity = 'warn'" severity=warn
-- data_test tests/sane severity=warn
SELECT 1 AS id, 2 AS "order id", 'warn' AS severity, 'a' AS name
