FROM t AT (VERSION => 3) x, u AT (TIMESTAMP => now()), range(3) r, dl.table_changes('t', 1, 2), p: v TABLESAMPLE 10%
