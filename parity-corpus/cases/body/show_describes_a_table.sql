-- materialize ducklake://shop/columns
SELECT * FROM (SHOW raw.orders), (DESCRIBE customers), (SHOW TABLES FROM raw), (SHOW ALL TABLES), (SHOW databases);
