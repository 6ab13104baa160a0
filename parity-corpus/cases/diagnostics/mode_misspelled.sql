-- materialize manaul ducklake://shop/orders append
SELECT 1 AS id, 'a' AS name
