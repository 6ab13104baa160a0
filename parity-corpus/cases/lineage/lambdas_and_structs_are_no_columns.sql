-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
SELECT
  list_transform(o.items, item -> item.price * o.rate) AS prices,
  list_filter(o.tags, lambda tag: tag <> o.skip) AS tags,
  [x + o.shift FOR x IN o.parts IF x > 0] AS parts,
  o.address.city,
  {'zip': o.address.zip, name: o.name} AS card
FROM dl.orders o
