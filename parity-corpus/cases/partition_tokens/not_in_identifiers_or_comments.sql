-- materialize ducklake://shop/orders
-- partitioned daily
SELECT 1 AS "{partition}" -- {partition}
/* {partition} */
