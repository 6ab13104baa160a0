SELECT 'a;b', E'a\';b', $$a;b$$, $é$a;$$;b$é$, "c;d" -- e;f
/* g; /* h; */ i; */ FROM t;
SELECT 2
