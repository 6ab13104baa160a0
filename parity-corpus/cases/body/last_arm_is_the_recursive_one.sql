-- materialize ducklake://shop/reach
ATTACH 'ducklake://raw' AS raw;
USE raw;

WITH RECURSIVE reach AS (
    FROM reach WHERE closed
    UNION ALL FROM edges
    UNION ALL SELECT e.to_node FROM edges e JOIN reach r ON e.from_node = r.node
)
FROM reach;
