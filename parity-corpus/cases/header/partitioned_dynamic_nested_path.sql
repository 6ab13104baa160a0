-- materialize ducklake://shop/orders
-- partitioned dynamic key="$.order.shop id"
SELECT {partition} AS shop
