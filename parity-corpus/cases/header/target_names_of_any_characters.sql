-- materialize ducklake://my-lake/täble$1
SELECT 1 AS id, 'a' AS name
