-- column total -> ducklake://w/o.amount
-- column total = ducklake://w/o.amount
-- column total < - ducklake://w/o.amount
SELECT 1 AS total
