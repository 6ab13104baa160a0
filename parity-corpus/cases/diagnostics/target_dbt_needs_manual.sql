-- materialize dbt://project/marts/orders
SELECT 1 AS id, 'a' AS name
