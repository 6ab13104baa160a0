-- materialize ducklake://shop/orders
SELECT sum(1, {'a': 2} AS id FROM t
