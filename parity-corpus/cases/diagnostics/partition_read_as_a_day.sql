-- materialize ducklake://shop/orders
-- partitioned daily
SELECT 1 AS id WHERE ts::DATE = DATE '{partition}'
