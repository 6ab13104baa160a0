-- materialize ducklake://shop/orders
-- data_test unique id
-- data_test not_null name
-- data_test accepted_values name = a,b
SELECT * FROM (VALUES (1, 'a'), (1, NULL), (2, 'c')) v(id, name)
