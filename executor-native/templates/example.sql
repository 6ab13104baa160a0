-- materialize ducklake://main/example
-- data_test unique id
-- data_test not_null id
--
-- The annotations above say what becomes of the SELECT below: a table, replaced by each run, each run a version.
--   lakemill run                     run it
--   lakemill plan example            see the SQL that a run sends
--   lakemill preview main/example    see its rows
--   lakemill history main/example    see its versions

SELECT range AS id, 'row ' || range AS name, now()::TIMESTAMP AS made_at
FROM range(10)
