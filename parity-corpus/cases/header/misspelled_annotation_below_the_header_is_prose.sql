SELECT 1 AS id
-- materialise ducklake://shop/orders
-- partition daily
-- key=id
