SELECT 1 AS id
-- 🦆
  -- retry 3