-- column total <- ducklake://w/orders.amount, orders, ducklake://w/t
SELECT 1 AS total
