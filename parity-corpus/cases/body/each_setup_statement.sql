INSTALL httpfs;
FORCE INSTALL json;
LOAD json;
SET threads = 1;
SET VARIABLE a = (SELECT 1);
RESET threads;
PRAGMA enable_progress_bar;
ATTACH 'ducklake' AS dl (READ_ONLY);
USE dl;
DETACH dl;
CREATE TEMP TABLE t(a INT);
CREATE SECRET s (TYPE s3);
INSERT INTO t VALUES (1);
FROM t
