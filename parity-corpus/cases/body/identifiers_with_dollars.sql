SELECT a$b$c, d$$e$$ FROM t$1; SELECT 2
