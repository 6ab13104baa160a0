-- tag x
WITH a AS (SELECT 'it''s 🦆' AS "x y", 1.5e3 + $1 /* b */)
FROM a -- c
WHERE {partition} = '{partition}' AND d::DATE > {partition_start} AND E'\n' <> $$ q $$
