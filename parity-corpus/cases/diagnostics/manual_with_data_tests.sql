-- materialize manual ducklake://shop/orders
-- data_test unique id
CREATE TABLE x AS SELECT 1 AS id
