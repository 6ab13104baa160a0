-- 🦆 é
-- materialize ducklake://shop/é🦆 ap
SELECT 1 AS id
