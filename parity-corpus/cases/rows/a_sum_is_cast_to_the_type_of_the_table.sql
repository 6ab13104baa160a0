-- materialize ducklake://shop/totals append
SELECT 1::HUGEINT AS wide, 1::BIGINT AS narrow
