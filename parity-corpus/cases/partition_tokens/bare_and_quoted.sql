-- materialize ducklake://shop/orders
-- partitioned daily
SELECT {partition} AS a, '{partition}' AS b, E'{partition}' AS c, $${partition}$$ AS d
