-- materialize ducklake://shop/orders
-- partitioned dynamic key=$.tenant
SELECT {partition} AS tenant
