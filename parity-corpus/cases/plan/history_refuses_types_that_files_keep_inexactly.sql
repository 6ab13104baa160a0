-- materialize ducklake://shop/customers key=id history
SELECT 1 AS id, '02:00+01'::TIMETZ AS opens
