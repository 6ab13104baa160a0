-- tag heavy
SELECT 1 AS id,
  -- freshness 1h
  2 AS name
