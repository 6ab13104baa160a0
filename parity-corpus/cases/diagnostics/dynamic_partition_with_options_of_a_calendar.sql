-- materialize ducklake://shop/orders
-- partitioned dynamic key=tenant tz=UTC
SELECT {partition} AS tenant
