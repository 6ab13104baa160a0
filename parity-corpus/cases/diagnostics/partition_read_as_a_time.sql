-- materialize ducklake://shop/orders
-- partitioned weekly
SELECT 1 AS id WHERE ts >= TIMESTAMP '{partition}' AND ts < {partition}::DATE AND CAST('{partition}' AS TIMESTAMP) = {partition_start}
