-- materialized shop/orders
-- partition daily tz=UTC
-- test not_null id
-- tests: unique id
-- not_null name
-- relationships id -> ducklake://crm/c.id
-- accepted_values name = a,b
-- retries 3 5s
SELECT 1 AS id, 'a' AS name, '{partition_}' AS x
