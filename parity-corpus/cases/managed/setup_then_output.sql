-- materialize ducklake://shop/orders
ATTACH 'ducklake://shop' AS dl;
CREATE TEMP TABLE a AS SELECT 1 AS id;
INSERT INTO a VALUES (2);
WITH b AS (FROM a) FROM b;

-- the end
