-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
SELECT id, b.x AS left_x, c.y AS right_y
FROM dl.a FULL JOIN dl.b USING (id) JOIN dl.c USING (id)
WHERE a.kept
