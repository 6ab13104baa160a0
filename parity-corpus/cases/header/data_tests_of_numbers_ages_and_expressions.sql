-- materialize ducklake://shop/orders
-- data_test row_count >= 1
-- data_test row_count<>3
-- data_test freshness seen <= 36h
-- data_test freshness "loaded at" <= 90
-- data_test expression "amount >= 0"
-- data_test expression '"a b" in (1, 2)'
SELECT 1 AS amount, 2 AS "a b", now() AS seen, now() AS "loaded at"
