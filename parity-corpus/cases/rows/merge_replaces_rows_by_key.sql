-- materialize ducklake://shop/orders key=id
SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, 'c')) v(id, name)
