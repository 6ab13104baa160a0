-- materialize manual ducklake://shop/orders
CREATE OR REPLACE TABLE x AS SELECT 1 AS id;
