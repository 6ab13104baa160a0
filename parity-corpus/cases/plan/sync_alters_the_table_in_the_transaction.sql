-- materialize ducklake://shop/orders append on_schema_change=sync
SELECT 1::BIGINT AS "Id", 2 AS more
