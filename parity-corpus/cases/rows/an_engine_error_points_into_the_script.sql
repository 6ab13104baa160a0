-- materialize ducklake://shop/orders
SELECT 1 AS id,
  nope
FROM range(3)
