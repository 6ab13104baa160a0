-- materialize ducklake://shop/orders key=id history track=name, tier , since
SELECT 1 AS id, 2 AS name, 3 AS tier, 4 AS since
