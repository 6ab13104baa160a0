-- materialize ducklake://shop/orders
-- data_test relationships customer -> ducklake://shop/customers.id
-- on s3:///raw/{partition}/orders.csv
ATTACH 'ducklake://shop' AS dl;
SELECT id, customer FROM dl.raw_orders
