-- no slice is empty
SELECT 'empty' AS problem
WHERE NOT EXISTS (FROM _wm_target WHERE _wm_partition = {partition})
