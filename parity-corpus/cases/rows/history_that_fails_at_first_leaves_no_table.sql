-- materialize ducklake://shop/customers key=id history
SELECT 1 AS id, unnest(['a', 'b']) AS name
