-- partitioned daily
-- materialize ducklake://shop/orders
-- data_test unique id
-- data_test not_null "name"
-- data_test accepted_values name = a,it's,"c,d"
-- data_test relationships id -> ducklake://shop/dim.id
SELECT 1 AS id, {partition} AS name
