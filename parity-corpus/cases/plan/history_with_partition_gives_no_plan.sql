-- materialize ducklake://shop/customers key=id history
-- partitioned daily
SELECT 1 AS id, {partition} AS name
