-- materialize ducklake://shop/orders
WITH a AS (SELECT 1) INSERT INTO dl.t FROM a;
SELECT 1 AS id
