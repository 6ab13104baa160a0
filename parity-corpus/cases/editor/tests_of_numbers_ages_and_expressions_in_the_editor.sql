-- materialize ducklake://shop/orders
-- data_test row_count>=10 severity=warn
-- data_test freshness "loaded at" <= 1d
-- data_test expression "am > 0 and 'x' = 'x'" severity=
-- data_test tests/sane sev
SELECT 1 AS id
