-- materialize ducklake://shop/spans append
SELECT INTERVAL '13 months 5 days 1193 hours 2 minutes 47.295 seconds' AS span UNION ALL SELECT NULL
