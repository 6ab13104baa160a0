-- materialize ducklake://shop/orders
-- data_test relationships customer -> ducklake://shop/customers.id
SELECT 1 AS id, 1 AS customer
