-- materialize ducklake://shop/orders
-- partitioned weekly format='week %V of %G'
SELECT {partition} AS week
