-- materialize ducklake://shop/orders
-- partitioned weekly format=%Y-W%V
SELECT {partition} AS week
