-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
CREATE TEMP MACRO gross(net, rate := 0.2, unused := 0) AS net * (1 + rate);
CREATE TEMP MACRO in_euro(amount) AS gross(amount) * (SELECT max(r.euro) FROM dl.rates r WHERE r.rate < amount);
CREATE TEMP MACRO recent(days) AS TABLE SELECT id, net, placed AS day, days AS window FROM dl.orders WHERE placed > today() - days;
SELECT r.id, gross(r.net, unused := r.day) AS gross, in_euro(r.net) AS euro, r.day, r.window
FROM recent(7) r
