SELECT extract(year FROM d), substring(s FROM 1 FOR 2), trim(BOTH 'x' FROM s), trim(FROM s), a IS DISTINCT FROM b, a IS NOT DISTINCT FROM b, 1 AS from, t.from
FROM t
