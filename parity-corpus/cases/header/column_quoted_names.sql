-- column "order total" <- ducklake://w/o."net amount", ducklake://w/o.'t,x'
SELECT 1 AS "order total"
