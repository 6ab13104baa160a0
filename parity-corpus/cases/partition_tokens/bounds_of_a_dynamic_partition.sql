-- materialize ducklake://shop/orders
-- partitioned dynamic key=tenant
SELECT {partition} AS tenant, {partition_start} AS since, '{partition_end}' AS until
