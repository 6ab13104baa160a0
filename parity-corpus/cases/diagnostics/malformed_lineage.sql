-- column total ducklake://w/t.a
-- column <- ducklake://w/t.a
-- column total <-
-- column a b <- ducklake://w/t.a
-- column total <- w/t.a
SELECT 1 AS total
