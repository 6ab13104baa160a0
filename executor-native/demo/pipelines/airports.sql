-- materialize ducklake://demo/airports key=faa
-- data_test unique faa
-- data_test not_null faa

-- With a key, rows of the SELECT replace the rows that have the same key; others stay.
SELECT faa, name, lat, lon, alt, tzone FROM read_parquet('data/airports.parquet')
