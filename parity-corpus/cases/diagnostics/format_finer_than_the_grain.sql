-- materialize ducklake://shop/orders
-- partitioned daily format=%Y-%m-%dT%H
SELECT {partition} AS day
