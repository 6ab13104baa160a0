-- tag heavy
// retry 2
# freshness 1h
--debounce 5s
//trigger all
#pipeline
SELECT 1 AS id, 'a' AS name
