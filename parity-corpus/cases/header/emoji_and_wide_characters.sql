-- 🦆 ducks
-- materialize ducklake://shop/été🦆 key="ïd, 🦆 n̆o"
-- tag 🦆
SELECT 1 AS ïd, 2 AS "🦆 n̆o"
