-- partitioned dynamic key=tenant
-- materialize ducklake://shop/orders
SELECT $$of {partition}$$ AS tenant
