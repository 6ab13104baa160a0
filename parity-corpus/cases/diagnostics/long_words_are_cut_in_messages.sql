-- on abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij
-- freshness ééééééééééééééééééééééééééééééééééééééééé
SELECT 1 AS id, 'a' AS name
