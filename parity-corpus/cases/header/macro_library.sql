-- macros
CREATE MACRO add_one(x) AS x + 1;
