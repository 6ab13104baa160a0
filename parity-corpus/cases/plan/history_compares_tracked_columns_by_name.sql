-- materialize ducklake://shop/customers key=id,country history track=Name,total
-- data_test unique id
SELECT 1 AS id, 'a' AS name, 'fr' AS country, 5 AS noise, 10::HUGEINT AS total
