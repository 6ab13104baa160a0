-- materialize ducklake://shop/orders key=id
-- tag heavy

SELECT 1 AS id
