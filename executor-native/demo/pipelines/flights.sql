-- materialize ducklake://demo/flights
-- data_test not_null carrier
-- data_test accepted_values origin = EWR,JFK,LGA

-- Every flight of the year, as it was published. The whole table is replaced by each run, as a new version.
SELECT
    make_timestamp(year, month, day, hour, minute, 0) AS scheduled,  -- New York time
    carrier, flight, tailnum, origin, dest, dep_delay, arr_delay, air_time, distance
FROM read_parquet('data/flights.parquet')
