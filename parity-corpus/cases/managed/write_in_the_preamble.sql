-- materialize ducklake://shop/orders
CREATE TABLE raw AS SELECT 1 AS id, 'a text that is long enough to be cut' AS note;
FROM raw
