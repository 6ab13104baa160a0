-- materialize ducklake://shop/orders
ATTACH 'ducklake://raw' AS raw;
SELECT id FROM raw.orders
