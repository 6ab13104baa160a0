-- materialize ducklake://shop/orders
-- partitioned daily by the clock of the shop
SELECT {partition} AS day
