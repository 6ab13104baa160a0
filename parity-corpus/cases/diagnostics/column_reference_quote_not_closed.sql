-- column total <- ducklake://w/o.c, ducklake://w/o.'a,b
-- column total <- "ducklake://w/o.a
SELECT 1 AS total
