-- measure n = count(*)
-- measure paid = sum(amount) filter (where kind = 'x') where paid
-- measure odd = sum("where") WHERE note <> ' where '
-- measure n = sum(1)
-- dimension n = a = b
SELECT 1 AS amount
