-- materialize duck
ATTACH 'ducklake://raw' AS raw;
FROM raw.orders
