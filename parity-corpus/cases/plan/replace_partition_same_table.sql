-- partitioned hourly
-- materialize ducklake://shop/orders
SELECT 1 AS id, 'a' AS name, '{partition}' = {partition} AS same WHERE TIMESTAMP '2024-02-29 23:10:00' BETWEEN {partition_start} AND {partition_end}
