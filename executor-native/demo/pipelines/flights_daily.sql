-- materialize ducklake://demo/flights_daily
-- partitioned daily tz=America/New_York start=2013-01-01
-- data_test not_null carrier
-- data_test accepted_values origin = EWR,JFK,LGA
-- data_test relationships carrier -> ducklake://demo/airlines.carrier

-- One partition a day: a run replaces its day and no other.
ATTACH 'ducklake://demo' AS demo;

SELECT
    {partition_start}::DATE AS day,
    origin,
    carrier,
    count(*) AS flights,
    count(*) FILTER (dep_delay IS NULL) AS cancelled,
    round(avg(dep_delay), 1) AS mean_delay_min
FROM demo.flights
WHERE scheduled >= {partition_start} AND scheduled < {partition_end}
GROUP BY ALL
