-- materialize ducklake://shop/customers key=id,country history deletes=close
SELECT * FROM (VALUES (1, 'fr', 'a'), (1, NULL, 'b'), (NULL, NULL, 'c')) v(id, country, name)
