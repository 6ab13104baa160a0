SELECT 1 AS id; /* a /* b */ FROM t
