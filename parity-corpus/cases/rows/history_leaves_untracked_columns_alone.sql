-- materialize ducklake://shop/customers key=id history track=name
SELECT * FROM (VALUES (1, 'a', 10), (2, 'b', 20)) v(id, name, visits)
