-- materialize ducklake://demo/weather
-- data_test not_null origin
SELECT
    origin,
    make_timestamp(year, month, day, hour, 0, 0) AS hour,  -- New York time
    temp, wind_speed, precip, visib
FROM read_parquet('data/weather.parquet')
