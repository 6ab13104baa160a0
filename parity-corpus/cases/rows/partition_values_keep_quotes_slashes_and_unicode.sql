-- partitioned dynamic key=tenant
-- materialize ducklake://shop/orders
SELECT {partition} AS tenant, '<{partition}>' AS wrapped
