-- materialize manual ducklake://shop/t
ATTACH 'ducklake://shop' AS dl;
INSERT INTO dl.t BY NAME FROM dl.u;
UPDATE dl.v SET a = u.a FROM dl.u WHERE u.id = v.id;
MERGE INTO dl.w AS w USING dl.t AS t ON w.id = t.id WHEN MATCHED THEN UPDATE SET a = t.a, b = t.b;
DELETE FROM dl.x USING dl.y, dl.z;
CREATE TABLE dl.n AS FROM dl.n;
