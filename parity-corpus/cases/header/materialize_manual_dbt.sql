-- materialize manual dbt://project/marts/orders
SELECT 1
