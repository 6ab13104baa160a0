-- partitioned daily
SELECT 1
