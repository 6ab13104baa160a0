-- materialize ducklake://demo/delays
-- data_test not_null carrier
-- data_test unique carrier

-- Read from three assets, so it runs after the scripts that make them.
ATTACH 'ducklake://demo' AS demo;

SELECT
    a.name AS airline,
    f.carrier,
    count(*) AS flights,
    round(avg(f.dep_delay), 1) AS mean_delay_min,
    round(avg(f.dep_delay) FILTER (w.precip > 0), 1) AS mean_delay_in_rain_min,
    round(avg(f.dep_delay) FILTER (w.visib < 3), 1) AS mean_delay_in_fog_min
FROM demo.flights AS f
JOIN demo.airlines AS a USING (carrier)
LEFT JOIN demo.weather AS w ON w.origin = f.origin AND w.hour = date_trunc('hour', f.scheduled)
GROUP BY ALL
ORDER BY mean_delay_min DESC
