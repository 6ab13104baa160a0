-- materialize ducklake://shop/orders
BEGIN TRANSACTION;
SELECT 1 AS id;
COMMIT;
