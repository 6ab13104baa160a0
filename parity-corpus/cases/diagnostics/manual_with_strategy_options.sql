-- materialize manual ducklake://shop/orders key=id on_schema_change=ignore
CREATE TABLE x AS SELECT 1 AS id
