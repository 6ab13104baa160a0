-- materialize manual ducklake://shop
CREATE TABLE x AS SELECT 1 AS id
