-- materialize ducklake://shop/orders
-- data_test row_count = 3
-- data_test row_count >= 5
-- data_test row_count < 3
-- data_test freshness seen <= 1d
-- data_test freshness never <= 1d
-- data_test freshness made <= 1d
-- data_test expression "amount >= 0"
-- data_test expression "amount <> 7 -- a comment"
SELECT * FROM (VALUES (5, TIMESTAMP '2020-02-29', NULL::DATE, TIMESTAMPTZ '2999-01-01 00:00:00+00'), (-1, NULL, NULL, NULL), (NULL, NULL, NULL, NULL)) v(amount, seen, never, made)
