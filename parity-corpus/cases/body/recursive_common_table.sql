WITH RECURSIVE walk AS (FROM walk UNION ALL SELECT e.target FROM edges e JOIN walk USING (id))
FROM walk
