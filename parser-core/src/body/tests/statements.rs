use proptest::prelude::*;

use super::body;
use super::pieces::pieces;
use crate::body::{AttachedAsset, SetupKind, StatementKind, read};
use crate::diagnostic::Code;

/// Kinds as one text: `attach create_temp select`, `write:CREATE TABLE`, `transaction`, `other`.
fn kinds(text: &str) -> String {
    let name = |kind: &StatementKind| match kind {
        StatementKind::Output(kind) => kind.as_str().to_owned(),
        StatementKind::Setup(kind) => kind.as_str().to_owned(),
        StatementKind::Write { verb } => format!("write:{verb}"),
        StatementKind::Transaction => "transaction".to_owned(),
        StatementKind::Other => "other".to_owned(),
    };
    body(text)
        .statements
        .iter()
        .map(|statement| name(&statement.kind))
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn statements_are_classified() {
    for (text, expected) in [
        ("", ""),
        (" ;; -- only a comment;\n /* ; */", ""),
        ("SELECT 1", "select"),
        ("select ';' as a; -- ;\n", "select"),
        ("from t", "from"),
        ("VALUES (1), (2)", "values"),
        ("TABLE t", "table"),
        ("PIVOT t ON a", "pivot"),
        ("pivot_wider t on a", "pivot"),
        ("UNPIVOT t ON a", "unpivot"),
        ("WITH a AS (SELECT 1) SELECT * FROM a", "select"),
        (
            "WITH RECURSIVE a(n) AS MATERIALIZED (SELECT 1), b AS NOT MATERIALIZED (FROM a) FROM b",
            "from",
        ),
        (
            "WITH RECURSIVE a(n, m) USING KEY (n) AS (SELECT 1, 2) TABLE a",
            "table",
        ),
        ("(SELECT 1)", "select"),
        ("((FROM t)) UNION (FROM u)", "from"),
        ("(WITH a AS (SELECT 1) FROM a)", "from"),
        (
            "WITH a AS (SELECT 1) (WITH b AS (FROM a) (SELECT 1))",
            "select",
        ),
        ("WITH a AS (SELECT 1) INSERT INTO t FROM a", "write:INSERT"),
        ("WITH a AS (SELECT 1) DELETE FROM t USING a", "write:DELETE"),
        ("WITH a AS (SELECT 1) UPDATE t SET b = 1", "write:UPDATE"),
        (
            "WITH a AS (SELECT 1) MERGE INTO t USING a ON true WHEN MATCHED THEN DELETE",
            "write:MERGE",
        ),
        ("WITH a AS (SELECT 1)", "other"),
        ("WITH", "other"),
        ("DESCRIBE t", "other"),
        ("(DESCRIBE t)", "other"),
        (
            "SUMMARIZE t; SHOW TABLES; EXPLAIN SELECT 1; CALL f()",
            "other other other other",
        ),
        ("ATTACH 'a.db'; ATTACH", "attach other"),
        ("INSTALL a; FORCE INSTALL a; LOAD a", "install install load"),
        (
            "SET a = 1; SET VARIABLE b = (SELECT 1); RESET a; PRAGMA c; USE d",
            "set set reset pragma use",
        ),
        (
            "BEGIN; START TRANSACTION; COMMIT; END; ROLLBACK; ABORT",
            &["transaction"; 6].join(" "),
        ),
        (
            "COPY t TO 'f'; COPY (SELECT 1) TO 'f'; EXPORT DATABASE 'd'",
            "write:COPY write:COPY write:EXPORT DATABASE",
        ),
        ("SEL 1; 1; 'a'; ,", "other other other other"),
        ("a;b;c", "other other other"),
    ] {
        assert_eq!(kinds(text), expected, "{text}");
    }
}

#[test]
fn temp_objects_are_told_from_lasting_ones() {
    for (text, expected) in [
        ("CREATE TEMP TABLE t AS SELECT 1", "create_temp"),
        (
            "create or replace temporary view v as select 1",
            "create_temp",
        ),
        ("CREATE LOCAL TEMP TABLE t(a int)", "create_temp"),
        (
            "CREATE TEMP MACRO m(a) AS a; CREATE TEMP FUNCTION f(a) AS a",
            "create_temp create_temp",
        ),
        (
            "CREATE TEMP SEQUENCE s; CREATE TEMP TYPE e AS ENUM ('a')",
            "create_temp create_temp",
        ),
        (
            "CREATE SECRET s (TYPE s3); CREATE TEMPORARY SECRET (TYPE s3)",
            "create_temp create_temp",
        ),
        ("CREATE TEMP SECRET s (TYPE s3)", "other"),
        (
            "CREATE PERSISTENT SECRET s (TYPE s3)",
            "write:CREATE SECRET",
        ),
        ("CREATE TABLE temp AS SELECT 1", "write:CREATE TABLE"),
        ("CREATE TABLE lake.temp AS SELECT 1", "write:CREATE TABLE"),
        (
            "CREATE OR REPLACE TABLE IF NOT EXISTS t (a int)",
            "write:CREATE TABLE",
        ),
        (
            "CREATE UNIQUE INDEX i ON t(a); CREATE SCHEMA s",
            "write:CREATE INDEX write:CREATE SCHEMA",
        ),
        ("CREATE MACRO m(a) AS a", "write:CREATE MACRO"),
        ("CREATE TEMP SCHEMA s", "other"),
        ("INSERT INTO t VALUES (1)", "write:INSERT"),
        (
            "CREATE TEMP TABLE t(a int); INSERT INTO T VALUES (1)",
            "create_temp write_temp",
        ),
        (
            "CREATE TEMP TABLE t(a int); INSERT OR REPLACE INTO temp.t FROM x",
            "create_temp write_temp",
        ),
        (
            "INSERT INTO temp.main.t FROM x; INSERT INTO main.t FROM x",
            "write_temp write:INSERT",
        ),
        ("INSERT INTO lake.temp FROM x", "write:INSERT"),
        (
            "CREATE TEMP TABLE \"a b\"(a int); DELETE FROM \"A b\"; TRUNCATE \"a b\"",
            "create_temp write_temp write_temp",
        ),
        (
            "CREATE TEMP TABLE t(a int); UPDATE t SET a = 1; UPDATE lake.t SET a = 1",
            "create_temp write_temp write:UPDATE",
        ),
        (
            "CREATE TEMP TABLE t(a int); WITH x AS (SELECT 1) INSERT INTO t FROM x",
            "create_temp write_temp",
        ),
        (
            "CREATE TEMP TABLE t(a int); MERGE INTO t USING x ON true WHEN MATCHED THEN DELETE",
            "create_temp write_temp",
        ),
        (
            "CREATE TEMP TABLE t(a int); COPY t(a) FROM 'f'; COPY t TO 'f'",
            "create_temp write_temp write:COPY",
        ),
        (
            "CREATE TEMP TABLE t(a int); DROP TABLE IF EXISTS t; INSERT INTO t FROM x",
            "create_temp write_temp write:INSERT",
        ),
        (
            "CREATE TEMP TABLE t(a int); ALTER TABLE t RENAME TO u; DELETE FROM u; DELETE FROM t",
            "create_temp write_temp write_temp write:DELETE",
        ),
        (
            "CREATE TEMP MACRO m(a) AS a; DROP MACRO m; DROP TABLE m",
            "create_temp write_temp write:DROP TABLE",
        ),
        (
            "CREATE TEMP TABLE t(a int); COMMENT ON TABLE t IS ''; COMMENT ON COLUMN t.a IS ''",
            "create_temp write_temp write_temp",
        ),
        ("DETACH dl", "other"),
        (
            "ATTACH 'ducklake://x' AS dl; DETACH DATABASE IF EXISTS DL; DETACH dl",
            "attach detach other",
        ),
        ("ATTACH 'f/shop.duckdb'; DETACH shop", "attach detach"),
    ] {
        assert_eq!(kinds(text), expected, "{text}");
    }
}

#[test]
fn attach_is_read() {
    let text = "ATTACH IF NOT EXISTS 'ducklake://shop' AS \"d l\" (READ_ONLY, SNAPSHOT_VERSION 3)";
    let statement = &body(text).statements[0];
    let StatementKind::Setup(SetupKind::Attach(attach)) = &statement.kind else {
        panic!("{statement:?}")
    };
    assert_eq!(attach.target.span.slice(text), "'ducklake://shop'");
    assert_eq!(
        attach.alias.as_ref().map(|alias| alias.value.as_str()),
        Some("d l")
    );
    assert_eq!(
        attach.options.map(|span| span.slice(text)),
        Some("READ_ONLY, SNAPSHOT_VERSION 3")
    );
    assert_eq!(attach.asset, Some(AttachedAsset::Lake("shop".to_owned())));

    let lake = |name: &str| Some(AttachedAsset::Lake(name.to_owned()));
    let datatable = |name: &str| Some(AttachedAsset::Datatable(name.to_owned()));
    for (uri, expected) in [
        ("ducklake", lake("main")),
        ("ducklake://", lake("main")),
        ("ducklake://x", lake("x")),
        ("datatable", datatable("main")),
        ("datatable://x", datatable("x")),
        ("ducklake:sqlite:meta.db", None),
        ("ducklake:x", None),
        ("DUCKLAKE://x", None),
        ("ducklake://x/y", None),
        ("x.db", None),
        ("", None),
    ] {
        assert_eq!(AttachedAsset::from_uri(uri), expected, "{uri}");
    }
}

#[test]
fn spans_leave_out_what_surrounds_a_statement() {
    let text = "  -- a\n SELECT 1 /* b */ ; /* c */ (FROM t) -- d\n;";
    let spans: Vec<_> = body(text)
        .statements
        .iter()
        .map(|statement| statement.span.slice(text))
        .collect();
    assert_eq!(spans, ["SELECT 1", "(FROM t)"]);
}

#[test]
fn what_is_never_closed_is_told_at_its_opening() {
    for (text, code, opening) in [
        ("SELECT 'a; SELECT 2", Code::LM200, "'"),
        ("SELECT E'a\\'; SELECT 2", Code::LM200, "E'"),
        ("SELECT $é$a$$; SELECT 2", Code::LM200, "$é$"),
        ("SELECT $$", Code::LM200, "$$"),
        ("SELECT 1; /* a /* */", Code::LM201, "/*"),
        ("SELECT \"a;", Code::LM202, "\""),
        ("SELECT \\ 1", Code::LM203, "\\"),
        ("SELECT '\0'", Code::LM203, "\0"),
    ] {
        let mut findings = Vec::new();
        let body = read(text, 0, &mut findings);
        let [finding] = findings.as_slice() else {
            panic!("{text}: {findings:?}")
        };
        assert_eq!(
            (finding.code, finding.span.slice(text)),
            (code, opening),
            "{text}"
        );
        assert_eq!(body.statements.len(), 1, "{text}");
    }
}

fn check_spans(text: &str) {
    let body = read(text, 0, &mut Vec::new());
    let mut at = 0;
    for statement in &body.statements {
        assert!(at <= statement.span.start && statement.span.end <= text.len());
        assert!(
            text.get(statement.span.start..statement.span.end)
                .is_some_and(|text| !text.is_empty())
        );
        at = statement.span.end;
        let mut inner = statement.span.start;
        for token in &statement.tokens {
            assert!(
                inner <= token.span.start && token.span.end <= at,
                "{token:?}"
            );
            inner = token.span.end;
        }
    }
    let _ = crate::body::managed::check(text, &body);
}

proptest! {
    #[test]
    fn any_text_has_a_body(text in ".*") {
        check_spans(&text);
    }

    #[test]
    fn odd_texts_and_their_prefixes_have_bodies(text in pieces()) {
        for (end, _) in text.char_indices() {
            check_spans(&text[..end]);
        }
        check_spans(&text);
    }
}

#[test]
fn deep_nesting_is_read() {
    for (open, close) in [
        ("(", ")"),
        ("WITH a AS (", ")"),
        ("[", "]"),
        ("(WITH a AS (SELECT 1) ", ")"),
        ("/*", "*/"),
    ] {
        let text = format!("{}SELECT 1{}", open.repeat(50_000), close.repeat(50_000));
        assert!(body(&text).statements.len() <= 1);
        let _ = read(&open.repeat(50_000), 0, &mut Vec::new());
    }
}
