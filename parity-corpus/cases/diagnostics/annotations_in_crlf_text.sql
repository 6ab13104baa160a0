-- materialize ducklake://shop/é key = id
-- tag 🦆 🦆
SELECT 1 AS id
