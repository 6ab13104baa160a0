-- materialize ducklake://shop/customers key=id history
SELECT 1 AS id, now()::TIMESTAMP AS Valid_From
