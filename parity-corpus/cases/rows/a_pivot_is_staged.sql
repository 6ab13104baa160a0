-- materialize ducklake://shop/wide append
PIVOT (FROM (VALUES ('x', 1), ('y', 2)) t(k, v)) ON k USING sum(v)
