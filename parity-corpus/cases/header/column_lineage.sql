-- column total <- ducklake://w/orders.amount, ducklake://w/orders.tax
-- column name <- datatable://main/users.name
SELECT 1 AS total, 'a' AS name
