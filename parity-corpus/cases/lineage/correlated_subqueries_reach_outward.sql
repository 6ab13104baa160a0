-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
SELECT
  o.id,
  (SELECT max(p.amount) FROM dl.payments p WHERE p.order_id = o.id) AS paid,
  EXISTS (SELECT * FROM dl.refunds r WHERE r.order_id = o.id) AS refunded,
  p.label
FROM dl.orders o, LATERAL (SELECT o.first || ' ' || o.last AS label) p
