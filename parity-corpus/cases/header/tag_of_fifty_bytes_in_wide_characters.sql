-- tag ééééééééééééééééééééééééé
SELECT 1 AS id, 'a' AS name
