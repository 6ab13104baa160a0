-- materialize ducklake://shop/orders
SELECT *
FROM VALUES (1, 'a'), (2, 'b') AS v(id, name), raw.orders set, (VALUES (3) AS w CROSS JOIN raw.extra)
WHERE id IN ((SELECT id FROM raw.open) EXCEPT SELECT id FROM raw.closed);
