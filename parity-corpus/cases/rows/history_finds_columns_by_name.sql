-- materialize ducklake://shop/customers key=id history
SELECT id, name, city FROM (VALUES (1, 'a', 'Rome'), (2, 'b', 'Oslo')) v(id, name, city)
