-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
CREATE TEMP TABLE lines AS SELECT id, price * quantity AS total FROM dl.lines;
INSERT INTO lines SELECT id, amount FROM dl.fees;
CREATE TEMP VIEW named(id, sum) AS FROM lines;
USE dl;
SELECT n.sum, l.total, s.zone FROM named n JOIN lines l USING (id) JOIN sites s USING (id)
