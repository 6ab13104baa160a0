-- tag gpu:a100/🦆_="x"
SELECT 1 AS id, 'a' AS name
