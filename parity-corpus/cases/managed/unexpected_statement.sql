-- materialize ducklake://shop/orders
CALL refresh();
DETACH other;
SELECT 1 AS id
