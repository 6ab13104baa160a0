-- materialize ducklake://shop/orders
SELECT [1,2]::INTEGER[2] AS v
