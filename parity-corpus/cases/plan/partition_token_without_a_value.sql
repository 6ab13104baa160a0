-- materialize ducklake://shop/orders
SELECT {partition} AS id
