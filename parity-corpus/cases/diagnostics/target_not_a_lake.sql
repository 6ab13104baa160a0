-- materialize datatable://main/orders
SELECT 1 AS id, 'a' AS name
