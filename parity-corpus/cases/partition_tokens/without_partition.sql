-- materialize ducklake://shop/orders
SELECT {partition} AS a, 'since {partition_start}' AS b
