-- materialize ducklake://shop/orders
-- partitioned hourly format=%Y-%m-%dT%I
SELECT {partition} AS hour
