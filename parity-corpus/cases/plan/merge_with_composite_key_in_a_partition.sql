-- partitioned dynamic key=tenant
-- materialize ducklake://shop/orders key=id,NAME
SELECT 1 AS id, {partition} AS name
