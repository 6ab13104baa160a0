-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
SELECT id, net FROM dl.orders
UNION ALL SELECT order_id, amount FROM dl.payments
UNION ALL BY NAME SELECT x.net, x.extra FROM (SELECT fee AS net, kind AS extra FROM dl.fees) x
EXCEPT SELECT a, b, c FROM dl.voided
