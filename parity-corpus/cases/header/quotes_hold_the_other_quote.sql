-- materialize ducklake://shop/orders key='a "b"' on_schema_change="ignore"
SELECT 1 AS "a ""b"""
