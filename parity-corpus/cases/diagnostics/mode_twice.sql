-- materialize manual ducklake://shop/orders manual
SELECT 1
