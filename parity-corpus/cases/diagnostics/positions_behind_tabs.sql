	--	tag	a	b
SELECT 1 AS id, 'a' AS name
