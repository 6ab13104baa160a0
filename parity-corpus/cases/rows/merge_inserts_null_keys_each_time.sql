-- materialize ducklake://shop/orders key=a,b
SELECT * FROM (VALUES (1, NULL, 'x'), (NULL, NULL, 'y'), (1, 2, 'z')) v(a, b, name)
