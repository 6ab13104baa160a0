-- materialize ducklake://shop/orders
ATTACH 'ducklake://shop' AS "my lake" (SNAPSHOT_VERSION 3);
SELECT id, name FROM "my lake".orders
