-- partitioned daily
-- materialize ducklake://shop/orders
SELECT {partition} AS name
