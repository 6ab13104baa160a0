-- materialize ducklake://shop/orders
CREATE TEMP SECRET s (TYPE s3);
SELECT 1 AS id
