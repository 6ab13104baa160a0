-- data_test unique id
SELECT 1 AS id, 'a' AS name
