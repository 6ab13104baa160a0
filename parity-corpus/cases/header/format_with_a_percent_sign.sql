-- materialize ducklake://shop/orders
-- partitioned daily format=%Y%m%d%%
SELECT {partition} AS day
