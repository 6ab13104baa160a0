-- materialize ducklake://shop/orders
SET threads = 1;
CREATE TEMP TABLE a AS SELECT 1 AS id
