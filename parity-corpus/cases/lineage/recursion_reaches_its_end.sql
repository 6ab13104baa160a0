-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
WITH RECURSIVE tree(id, root, path) AS (
  SELECT id, id, name FROM dl.nodes WHERE parent IS NULL
  UNION ALL
  SELECT n.id, tree.root, tree.path || '/' || n.name FROM dl.nodes n JOIN tree ON n.parent = tree.id
)
SELECT * FROM tree
