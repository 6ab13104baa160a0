-- materialize ducklake://shop/shops
SELECT '02:00+01'::TIMETZ AS opens
