-- materialize ducklake://shop/orders
SELECT [1, (2] AS ids, ')' AS text -- )
