-- materialize ducklake://shop/counter
ATTACH 'ducklake://shop' AS dl;
CREATE TEMP TABLE seen AS SELECT count(*) AS tables FROM duckdb_tables() WHERE database_name = 'dl' AND table_name = 'counter';
SELECT tables AS runs_before FROM seen
