-- column total <- ducklake://w/o .amount, ducklake://w/o.net amount, ducklake://w/o., ducklake://w/o.tax
SELECT 1 AS total
