use super::body;
use super::pieces::pieces;
use crate::body::Body;
use proptest::prelude::*;

/// Tables of all statements: `dl.t u.v.w`.
fn tables(text: &str) -> String {
    let name = |parts: &[crate::source::Spanned<String>]| {
        parts
            .iter()
            .map(|part| part.value.clone())
            .collect::<Vec<_>>()
            .join(".")
    };
    let body = body(text);
    let tables = body
        .statements
        .iter()
        .flat_map(|statement| &statement.tables);
    tables
        .map(|table| name(&table.parts))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Assets: `ducklake:shop/t:r s3object:/k:w`.
fn assets(text: &str) -> String {
    let body: Body = body(text);
    let name = |used: &crate::body::AssetUse| {
        format!(
            "{}:{}:{}",
            used.asset.kind.as_str(),
            used.asset.path,
            used.access.as_str()
        )
    };
    body.assets.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn tables_are_found_where_a_table_may_stand() {
    for (text, expected) in [
        ("SELECT 1", ""),
        ("SELECT * FROM t", "t"),
        ("FROM t", "t"),
        ("FROM a . b . \"c \"\"d\" SELECT x", "a.b.c \"d"),
        ("TABLE t ORDER BY a, b", "t"),
        ("VALUES (1), ((SELECT max(a) FROM t))", "t"),
        ("FROM VALUES (1) v(a), t", "t"),
        ("FROM a, b x, c AS y(p, q), d", "a b c d"),
        (
            "FROM a JOIN b ON a.x = b.x, c LEFT JOIN d USING (x, y)",
            "a b c d",
        ),
        (
            "FROM a NATURAL JOIN b CROSS JOIN c POSITIONAL JOIN d ASOF LEFT JOIN e USING (x) SEMI JOIN f USING (y) ANTI JOIN g ON true",
            "a b c d e f g",
        ),
        (
            "FROM a JOIN b ON CASE WHEN x THEN y END LEFT JOIN c USING (x)",
            "a b c",
        ),
        ("FROM (a JOIN (b CROSS JOIN c) ON true), d", "a b c d"),
        ("FROM ((SELECT * FROM a) UNION (FROM b)) x, c", "a b c"),
        (
            "(FROM a) UNION ALL BY NAME (FROM b) EXCEPT SELECT 1 FROM c INTERSECT TABLE d",
            "a b c d",
        ),
        ("FROM a UNION FROM b", "a b"),
        (
            "SELECT (SELECT 1 FROM a), [x FOR x IN (FROM b)], {'k': (TABLE c)} FROM d WHERE EXISTS (FROM e)",
            "a b c d e",
        ),
        ("SELECT ((((SELECT 1 FROM a))))", "a"),
        (
            "FROM t, LATERAL (SELECT t.x FROM u), unnest(t.l) AS w(x), v",
            "t u v",
        ),
        (
            "FROM range(10) r, lake.table_changes('t', 1, 2), read_csv('f'), t",
            "t",
        ),
        ("FROM x: t, y : u.v", "t u.v"),
        (
            "FROM t AT (VERSION => 3) x, u AT (TIMESTAMP => now())",
            "t u",
        ),
        ("FROM t TABLESAMPLE 10%, u USING SAMPLE 5", "t u"),
        (
            "SELECT extract(year FROM d), substring(a FROM 2 FOR 3), trim(BOTH FROM a), trim(FROM a), overlay(a PLACING b FROM 1) FROM t",
            "t",
        ),
        (
            "SELECT a IS DISTINCT FROM b, a IS NOT DISTINCT FROM c FROM t JOIN u ON t.x IS NOT DISTINCT FROM u.x",
            "t u",
        ),
        (
            "SELECT 1 AS from, t.from, t.join, t.\"from\" FROM t AS where WHERE 1",
            "t",
        ),
        (
            "SELECT * EXCLUDE (a) REPLACE (b AS c) RENAME (d AS e), COLUMNS(x -> x LIKE 'from t') FROM t",
            "t",
        ),
        ("PIVOT t ON a, b USING sum(c), max(d) GROUP BY e, f", "t"),
        ("PIVOT t USING sum(c), max(d) GROUP BY e, f", "t"),
        (
            "PIVOT (FROM t JOIN u ON true) ON a IN (SELECT b FROM v)",
            "t u v",
        ),
        ("PIVOT t JOIN u USING (id) ON a, b USING sum(c)", "t u"),
        ("UNPIVOT t ON a, b INTO NAME n VALUE v", "t"),
        (
            "FROM t PIVOT (sum(a) FOR b IN (1, 2) GROUP BY c), u UNPIVOT (v FOR n IN (a, b))",
            "t u",
        ),
        (
            "FROM (PIVOT t ON a), (UNPIVOT u ON b), (DESCRIBE v), (SUMMARIZE w), (SHOW TABLES FROM x)",
            "t u v w",
        ),
        (
            "SELECT sum(a) FILTER (WHERE b) OVER (PARTITION BY c ORDER BY d), CASE WHEN a THEN b END FROM t WINDOW w AS (ORDER BY a), v AS (w) QUALIFY 1",
            "t",
        ),
        ("FROM 'a.csv', \"b.csv\"", "a.csv b.csv"),
        ("FROM t LIMIT (SELECT count(*) FROM u)", "t u"),
        (
            "DESCRIBE t; SUMMARIZE u; DESCRIBE SELECT * FROM v; DESC FROM w; SHOW TABLES; EXPLAIN ANALYZE FROM x",
            "t u v w x",
        ),
        (
            "SET VARIABLE v = (SELECT max(a) FROM t); CALL f((FROM u))",
            "t u",
        ),
        (
            "INSTALL x FROM community; LOAD x; ATTACH 'a' AS b; USE b; DETACH b",
            "",
        ),
        ("FROM VALUES (1), (b), v, t", "t"),
        ("FROM (VALUES (1), (2) AS v CROSS JOIN t), u", "t u"),
        (
            "SELECT x IN ((FROM a) UNION FROM b), f(((FROM c) EXCEPT SELECT 1 FROM d))",
            "a b c d",
        ),
        (
            "SHOW t; DESCRIBE dl.tables; FROM (SHOW u), (SHOW dl.v)",
            "t dl.tables u dl.v",
        ),
        (
            "SHOW TABLES; SHOW databases; DESCRIBE Schemas; SHOW \"variables\"; SHOW ALL TABLES; SHOW TIME ZONE; SHOW TRANSACTION ISOLATION LEVEL; SHOW",
            "",
        ),
        ("SHOW time; SHOW SELECT * FROM t", "time t"),
        ("FROM t set, u values, v", "t u v"),
        ("FROM update set JOIN u ON true", "update u"),
        (
            "INSERT INTO t FROM u ON CONFLICT (a) DO UPDATE SET b = 1, c = 2",
            "t u",
        ),
        (
            "SELECT x::UNION(a INTEGER), CAST(y AS UNION(b INTEGER)) FROM t, u",
            "t u",
        ),
        ("FROM 'a': t, 'b' : u.v", "t u.v"),
        ("SELECT a AS as FROM t", "t"),
        ("SELECT t.as FROM t", "t"),
        ("FROM", ""),
        ("FROM WHERE x", ""),
        ("FROM lake.", ""),
        (
            "SELECT o. FROM dl.orders o JOIN dl. WHERE (FROM t)",
            "dl.orders t",
        ),
        ("SELECT t.from x FROM dl . t, dl.order", "dl.t dl.order"),
        ("SELECT FROM t WHERE (", "t"),
        ("SELECT ) FROM t ] , u", "t u"),
        ("FROM a.b.c.d", ""),
    ] {
        assert_eq!(tables(text), expected, "{text}");
    }
}

#[test]
fn common_tables_shadow_in_their_scope() {
    for (text, expected) in [
        ("WITH a AS (FROM t) FROM a, A, \"a\"", "t"),
        ("WITH a AS (FROM a) FROM a", "a"),
        ("WITH RECURSIVE a AS (FROM t UNION FROM a) FROM a", "t"),
        ("WITH RECURSIVE a AS (FROM a) FROM a", "a"),
        ("WITH RECURSIVE a AS (FROM a EXCEPT FROM a) FROM a", "a a"),
        ("WITH RECURSIVE a AS (FROM a UNION FROM a) FROM a", "a"),
        (
            "WITH RECURSIVE a AS (((FROM t)) UNION (FROM a)), b AS (((FROM u) UNION FROM b)) FROM a, b",
            "t u",
        ),
        (
            "WITH RECURSIVE a(n) USING KEY (n) AS MATERIALIZED (FROM t), b AS NOT MATERIALIZED (FROM a) FROM b",
            "t",
        ),
        // Case means nothing to ASCII letters alone.
        ("WITH É AS (FROM t), Éa AS (FROM t) FROM é, ÉA", "t t é"),
        // Only the last arm is the recursive one.
        (
            "WITH RECURSIVE a AS (FROM a UNION FROM a UNION ALL FROM a) FROM a",
            "a a",
        ),
        (
            "WITH RECURSIVE a AS (FROM t UNION FROM a EXCEPT FROM a) FROM a",
            "t a a",
        ),
        (
            "WITH RECURSIVE a AS (FROM a EXCEPT FROM a UNION FROM a) FROM a",
            "a a",
        ),
        (
            "WITH RECURSIVE a AS (FROM t UNION FROM a INTERSECT FROM a) FROM a",
            "t",
        ),
        (
            "WITH RECURSIVE a AS (FROM t INTERSECT FROM a UNION FROM a) FROM a",
            "t a",
        ),
        (
            "WITH RECURSIVE a AS (FROM t UNION ALL BY NAME FROM a) FROM a",
            "t a",
        ),
        (
            "WITH RECURSIVE a AS (FROM t UNION (FROM a UNION FROM a)) FROM a",
            "t",
        ),
        (
            "WITH RECURSIVE a AS ((FROM t UNION FROM a) UNION FROM a) FROM a",
            "t a",
        ),
        (
            "WITH RECURSIVE a AS ((FROM t UNION FROM a) INTERSECT FROM a) FROM a",
            "t a a",
        ),
        ("WITH RECURSIVE a AS ((FROM t UNION FROM a)) FROM a", "t"),
        (
            "WITH RECURSIVE a AS (FROM t UNION (FROM a UNION (FROM a))",
            "t",
        ),
        (
            "WITH RECURSIVE a AS (FROM t UNION (WITH RECURSIVE a AS (FROM u UNION FROM a EXCEPT FROM a) FROM a) UNION FROM a) FROM a",
            "t u a a",
        ),
        (
            "WITH RECURSIVE a AS (FROM t UNION (WITH RECURSIVE a AS (FROM u UNION FROM a EXCEPT FROM a) FROM a)) FROM a",
            "t u",
        ),
        ("(WITH a AS (FROM t) FROM a) LIMIT (FROM a)", "t"),
        ("((WITH a AS (FROM t) FROM a) LIMIT 1) UNION FROM a", "t a"),
        (
            "FROM u UNION (WITH a AS (FROM t) FROM a) LIMIT (FROM a)",
            "u t a",
        ),
        ("WITH 'a' AS (FROM t) FROM a, 'a', 'b'", "t b"),
        ("WITH a AS (FROM b), b AS (FROM a) FROM a, b", "b"),
        ("WITH a AS (FROM t) FROM dl.a, main.a", "t dl.a main.a"),
        ("FROM (WITH a AS (FROM t) FROM a), a", "t a"),
        ("WITH a AS (WITH b AS (FROM t) FROM b) FROM a, b", "t b"),
        (
            "WITH a AS (FROM t) SELECT (SELECT 1 FROM a), (WITH a AS (FROM u) SELECT 1 FROM a) FROM a",
            "t u",
        ),
        ("WITH recursive AS (FROM t) FROM recursive", "t"),
        ("WITH a AS (FROM t) INSERT INTO a FROM a", "t a"),
        ("WITH a AS (FROM t) (FROM a) UNION (FROM u)", "t u"),
        ("WITH a AS (SELECT 1), FROM t", ""),
        ("FROM a; WITH a AS (FROM t) FROM a; FROM a", "a t a"),
    ] {
        assert_eq!(tables(text), expected, "{text}");
    }
}

#[test]
fn writes_name_their_target() {
    for (text, expected) in [
        ("INSERT INTO dl.t BY NAME SELECT * FROM u", "dl.t u"),
        (
            "INSERT OR REPLACE INTO t (a, b) VALUES (1, (SELECT 2 FROM u)) RETURNING a, b",
            "t u",
        ),
        (
            "INSERT INTO t (SELECT * FROM u) ON CONFLICT (a) DO UPDATE SET b = excluded.b, c = 1",
            "t u",
        ),
        ("INSERT INTO t DEFAULT VALUES", "t"),
        (
            "UPDATE t AS x SET a = 1, b = (SELECT 1 FROM v) FROM u, w WHERE x.id = u.id",
            "t v u w",
        ),
        ("DELETE FROM t USING u, v WHERE t.a = u.a", "t u v"),
        ("TRUNCATE TABLE t; TRUNCATE u", "t u"),
        (
            "MERGE INTO t AS x USING u AS y ON x.a = y.a WHEN MATCHED THEN UPDATE SET a = y.a, b = y.b WHEN NOT MATCHED THEN INSERT VALUES (y.a, y.b)",
            "t u",
        ),
        (
            "MERGE INTO t USING (SELECT * FROM u) s USING (id) WHEN MATCHED THEN DELETE RETURNING a, b",
            "t u",
        ),
        (
            "CREATE OR REPLACE TABLE IF NOT EXISTS t PARTITIONED BY (p) AS SELECT * FROM u",
            "t u",
        ),
        ("CREATE TABLE t (a int, b int)", "t"),
        ("CREATE TEMP VIEW v(a, b) AS FROM u", "v u"),
        (
            "CREATE MACRO m(a) AS TABLE SELECT * FROM t WHERE x = a, (a, b) AS TABLE FROM u",
            "t u",
        ),
        ("CREATE MACRO m(a) AS a IS DISTINCT FROM b", ""),
        ("CREATE TYPE e AS ENUM (SELECT a FROM t)", "t"),
        ("CREATE UNIQUE INDEX i ON t (a)", "t"),
        (
            "DROP TABLE IF EXISTS t; DROP SCHEMA s; ALTER TABLE u ADD COLUMN c int; COMMENT ON COLUMN v.c IS ''",
            "t u v",
        ),
        (
            "COPY t TO 'f'; COPY u (a, b) FROM 'f'; COPY (SELECT * FROM v) TO 'f' (FORMAT csv); COPY FROM DATABASE a TO b",
            "t u v",
        ),
        ("WITH a AS (FROM t) DELETE FROM u USING a, v", "t u v"),
    ] {
        assert_eq!(tables(text), expected, "{text}");
    }
}

#[test]
fn names_resolve_through_attach_and_use() {
    for (text, expected) in [
        (
            "ATTACH 'ducklake://shop' AS dl; FROM dl.t, DL.s.u, dl.main.T",
            "ducklake:shop/t:r ducklake:shop/s.u:r",
        ),
        ("ATTACH 'ducklake' AS dl; FROM dl.t", "ducklake:main/t:r"),
        ("ATTACH 'ducklake://' AS dl; FROM dl.t", "ducklake:main/t:r"),
        ("ATTACH 'ducklake://shop'; FROM shop.t", "ducklake:shop/t:r"),
        (
            "ATTACH 'ducklake://shop' AS dl; USE dl; FROM t, s.u, dl.v, memory.w, information_schema.tables",
            "ducklake:shop/t:r ducklake:shop/s.u:r ducklake:shop/v:r",
        ),
        (
            "ATTACH 'ducklake://shop' AS dl; USE dl.s; FROM t",
            "ducklake:shop/s.t:r",
        ),
        (
            "ATTACH 'ducklake://shop' AS dl; USE dl; USE memory; FROM t",
            "",
        ),
        (
            "ATTACH 'datatable://app' AS pg; FROM pg.t, pg.public.u, pg.s.v",
            "datatable:app/t:r datatable:app/u:r datatable:app/s.v:r",
        ),
        ("ATTACH 'ducklake:sqlite:x' AS dl; USE dl; FROM dl.t, u", ""),
        ("ATTACH 'ducklake://a' AS dl; DETACH dl; FROM dl.t", ""),
        (
            "ATTACH 'ducklake://a' AS dl; ATTACH OR REPLACE 'ducklake://b' AS dl; FROM dl.t",
            "ducklake:b/t:r",
        ),
        ("FROM dl.t", ""),
        (
            "ATTACH 'ducklake://a' AS dl; USE dl; CREATE TEMP TABLE t AS FROM t; FROM t, temp.u",
            "ducklake:a/t:r",
        ),
        (
            "ATTACH 'ducklake://a' AS dl; USE dl; WITH t AS (FROM dl.u) FROM t",
            "ducklake:a/u:r",
        ),
        (
            "ATTACH 'ducklake://a' AS dl; INSERT INTO dl.t FROM dl.t; DELETE FROM dl.u",
            "ducklake:a/t:rw ducklake:a/u:w",
        ),
        (
            "ATTACH 'ducklake://a' AS dl; CREATE TABLE dl.t AS FROM dl.u; DROP TABLE dl.v",
            "ducklake:a/t:w ducklake:a/u:r ducklake:a/v:w",
        ),
        (
            "ATTACH 'ducklake://a' AS dl; USE dl; FROM 'a.csv', 's3://b/k'",
            "s3object:b/k:r",
        ),
    ] {
        assert_eq!(assets(text), expected, "{text}");
    }
}

#[test]
fn objects_are_found_in_file_functions_and_copy() {
    for (text, expected) in [
        (
            "FROM 's3:///k.parquet', \"s3://b/k\"",
            "s3object:/k.parquet:r s3object:b/k:r",
        ),
        ("FROM 's3:////k'", "s3object://k:r"),
        (
            "FROM read_parquet('s3://b/{partition}/*.parquet', hive_partitioning = true)",
            "s3object:b/{partition}/*.parquet:r",
        ),
        (
            "FROM READ_CSV(['s3://b/1', 's3://b/2', 'local'])",
            "s3object:b/1:r s3object:b/2:r",
        ),
        ("SELECT 's3://b/k', f('s3://b/k')", ""),
        (
            "COPY (FROM 's3://b/in') TO 's3://b/out' (FORMAT parquet)",
            "s3object:b/in:r s3object:b/out:w",
        ),
        (
            "COPY t TO 's3://b/k'; FROM read_json('s3://b/k')",
            "s3object:b/k:rw",
        ),
        ("COPY t FROM 's3://b/k'", "s3object:b/k:r"),
        (
            "CREATE TEMP TABLE t AS FROM read_blob('s3://b/it''s')",
            "s3object:b/it's:r",
        ),
        ("FROM 's3://'", ""),
    ] {
        assert_eq!(assets(text), expected, "{text}");
    }
}

#[test]
fn spans_are_those_of_the_names() {
    let text = "ATTACH 'ducklake://a' AS dl; FROM dl . \"t\", dl.t";
    let body = body(text);
    let spans: Vec<_> = body.assets[0]
        .spans
        .iter()
        .map(|span| span.slice(text))
        .collect();
    assert_eq!(spans, ["dl . \"t\"", "dl.t"]);
    assert_eq!(
        body.statements[1].tables[0].parts[1].span.slice(text),
        "\"t\""
    );
}

proptest! {
    #[test]
    fn references_lie_in_their_statement(text in pieces()) {
        let body = crate::body::read(&text, 0, &mut Vec::new());
        for statement in &body.statements {
            for table in &statement.tables {
                prop_assert!(statement.span.start <= table.span.start && table.span.end <= statement.span.end);
                for part in &table.parts {
                    prop_assert!(table.span.start <= part.span.start && part.span.end <= table.span.end);
                }
            }
        }
        for used in &body.assets {
            prop_assert!(!used.spans.is_empty());
        }
    }
}
