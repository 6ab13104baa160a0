-- materialize ducklake://shop/orders
SELECT 1 AS id;
SET threads = 1;
USE memory;
