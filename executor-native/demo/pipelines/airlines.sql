-- materialize ducklake://demo/airlines
-- data_test unique carrier
-- data_test not_null name
SELECT carrier, name FROM read_parquet('data/airlines.parquet')
