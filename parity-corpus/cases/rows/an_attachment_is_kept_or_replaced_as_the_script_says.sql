-- materialize ducklake://shop/orders
ATTACH 'ducklake://shop' AS s;
ATTACH IF NOT EXISTS 'ducklake://archive' AS s;
ATTACH OR REPLACE 'ducklake://shop' AS s;
ATTACH IF NOT EXISTS 'ducklake://shop' AS t;
SELECT database_name AS name FROM duckdb_databases() WHERE database_name IN ('s', 't') ORDER BY ALL
