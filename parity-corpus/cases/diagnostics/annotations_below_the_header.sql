-- materialize ducklake://shop/orders
SET threads = 1;
-- data_test unique id
-- on the whole
/*
-- tag heavy
*/
SELECT '
-- retry 3
' AS id -- tag light
-- tag light
