-- materialize manual ducklake://shop/orders
BEGIN;
DELETE FROM dl.orders;
COMMIT;
