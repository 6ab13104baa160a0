-- column a <- ducklake://w/o.x
-- column a <- ducklake://w/o.x
-- column A <- ducklake://w/o.y
SELECT 1 AS a
