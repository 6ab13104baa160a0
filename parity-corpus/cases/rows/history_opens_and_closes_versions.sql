-- materialize ducklake://shop/customers key=id history
SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, 'c')) v(id, name)
