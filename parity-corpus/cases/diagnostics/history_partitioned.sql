-- materialize ducklake://shop/orders key=id history
-- partitioned daily
SELECT 1 AS id WHERE {partition} <> ''
