-- materialize ducklake://shop/orders
-- partitioned quarterly
-- partitioned weekly
-- partitioned daily
SELECT {partition} AS week
