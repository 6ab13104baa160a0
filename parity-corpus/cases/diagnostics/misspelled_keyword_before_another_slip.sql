-- materialise shop/orders key=id
-- partitionned day
SELECT 1 AS id, 'wm_partition' AS x
