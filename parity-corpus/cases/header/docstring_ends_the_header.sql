"""Orders of the shop."""
# tag heavy
SELECT 1 AS id, 'a' AS name
