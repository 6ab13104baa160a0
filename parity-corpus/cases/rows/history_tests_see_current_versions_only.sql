-- materialize ducklake://shop/customers key=id history
-- data_test unique id
-- data_test accepted_values name = b,B,c
SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, 'c')) v(id, name)
