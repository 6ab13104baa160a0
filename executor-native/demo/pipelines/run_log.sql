-- materialize ducklake://demo/run_log append

-- Append only inserts: each run adds a row.
ATTACH 'ducklake://demo' AS demo;

SELECT now()::TIMESTAMP AS at, count(*) AS flights, max(scheduled) AS latest FROM demo.flights
