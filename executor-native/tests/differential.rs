//! The core reads a body as the engine does: where its statements begin and end, what they are, and which tables they name.
//!
//! The texts are drawn from a grammar (`parity_corpus::sql`), come from the tests of another SQL tool, are near misses of
//! both, and are the queries of TPC-H and TPC-DS out of the engine's extensions of these names.
// The oracle talks to DuckDB in its own way; what was compared is printed for whoever asks with `--no-capture`.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stdout)]

#[path = "differential/compare.rs"]
mod compare;
#[path = "differential/tree.rs"]
mod tree;
#[path = "differential/types.rs"]
mod types;

use std::borrow::Cow;

use compare::{Comparison, HALF_TYPED, UNUSED_WINDOW};
use duckdb::Connection;
use engine_oracle::{Oracle, StatementType};
use parity_corpus::sql::Queries;
use parser_core::asset::Asset;
use parser_core::body::read;
use parser_core::lineage::{Schemas, trace};
use proptest::prelude::{Just, Strategy, prop, prop_oneof};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use types::{EXPANDED, PRAGMA};

const SEED: u64 = 20_261_130;

/// SQL that the engine accepts, out of the tests of sqlglot; see `sqlglot.LICENSE` beside it.
fn sqlglot() -> Vec<String> {
    include_str!("differential/sqlglot.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn texts_of_the_grammar() {
    let mut comparison = Comparison::new();
    comparison.texts(Queries::new(SEED).take(13_000));
    comparison.finish("grammar", 13_000);
}

#[test]
fn texts_of_sqlglot() {
    let mut comparison = Comparison::new();
    comparison.texts(sqlglot());
    assert_eq!(comparison.rejected, 0);
    comparison.finish("sqlglot", 4_000);
}

#[test]
fn near_misses() {
    let mut comparison = Comparison::new();
    let mut near = Queries::new(SEED + 1);
    let texts: Vec<String> = Queries::new(SEED + 2)
        .take(3_000)
        .chain(sqlglot())
        .collect();
    let twice = texts.iter().chain(&texts);
    comparison.texts(twice.map(|text| near.mutated(text)));
    comparison.finish("near misses", 2_500);
}

#[test]
fn queries_of_tpc() {
    for (extension, least) in [("tpch", 22), ("tpcds", 99)] {
        let mut comparison = Comparison::new();
        let queries = comparison.queries_of(extension);
        assert_eq!(queries.len(), least, "{extension}");
        comparison.texts(queries);
        assert_eq!(comparison.rejected, 0);
        comparison.finish(extension, least);
    }
}

#[test]
fn output_columns_of_tpc() {
    let mut columns = 0;
    for (extension, tables) in [("tpch", "dbgen"), ("tpcds", "dsdgen")] {
        let comparison = Comparison::new();
        let queries = comparison.queries_of(extension);
        let engine = comparison.engine();
        engine
            .execute_batch(&format!("CALL {tables}(sf = 0)"))
            .unwrap();
        let schemas = schemas(engine);
        for query in queries {
            let script = format!("ATTACH 'ducklake://tpc' AS tpc; USE tpc; {query}");
            let parsed = parser_core::parse(&script).script;
            let lineage = trace(&script, &parsed, &schemas);
            let ours = lineage.columns.iter().map(|column| column.name.as_deref());
            let theirs = described(engine, &query);
            assert_eq!(ours.len(), theirs.len(), "{query}");
            for (ours, theirs) in ours.zip(&theirs) {
                columns += 1;
                assert_eq!(ours, Some(theirs.as_str()), "{query}");
            }
        }
    }
    println!("TPC: {columns} output columns");
    assert!(columns > 600);
}

/// How the columns of a query of `t` are named: by us, where we are certain, and by the engine; nothing when it refuses the query.
fn named(engine: &Connection, query: &str) -> Option<(Vec<Option<String>>, Vec<String>)> {
    let mut statement = engine.prepare(&format!("DESCRIBE (\n{query}\n)")).ok()?;
    let rows = statement.query_map([], |row| row.get(0)).ok()?;
    let theirs = rows.map(Result::unwrap).collect();
    let script = format!("ATTACH 'ducklake://tpc' AS tpc; USE tpc; {query}");
    let parsed = parser_core::parse(&script).script;
    let lineage = trace(&script, &parsed, &Schemas::new());
    let ours = lineage.columns.into_iter();
    let ours = ours.map(|column| column.name.map(Cow::into_owned));
    Some((ours.collect(), theirs))
}

/// Every word of the engine, and some that only look like one, as a column in expressions that get a name.
#[test]
fn made_up_names_of_every_word() {
    let engine = Connection::open_in_memory().unwrap();
    let mut words = engine
        .prepare("SELECT DISTINCT keyword_name FROM duckdb_keywords()")
        .unwrap();
    let words = words.query_map([], |row| row.get(0)).unwrap();
    let others = [
        "Total",
        "a_b",
        "x1",
        "_x",
        "Abort_",
        "user_name",
        "rowid",
        "localtime_",
        "current_date",
        "current_user",
    ];
    let words: Vec<String> = words
        .map(Result::unwrap)
        .chain(others.map(str::to_owned))
        .collect();
    assert!(words.len() > 480);
    let columns: Vec<String> = words
        .iter()
        .map(|word| format!("\"{word}\" INTEGER"))
        .collect();
    engine
        .execute_batch(&format!("CREATE TABLE t ({})", columns.join(", ")))
        .unwrap();
    let mut certain = 0;
    for word in &words {
        for expression in [
            format!("sum({word})"),
            format!("{word} + 1"),
            format!("t.{word} * 2"),
            format!("CAST({word} AS DECIMAL(15,4))"),
            format!("round({word}/2.50, 2)"),
        ] {
            let Some((ours, theirs)) = named(&engine, &format!("SELECT {expression} FROM t"))
            else {
                continue;
            };
            let [Some(ours)] = &ours[..] else { continue };
            certain += 1;
            assert_eq!([ours.as_str()], theirs[..], "{expression}");
        }
    }
    println!("words: {certain} names made up");
    assert_eq!(certain, 5 * others.len());
}

/// An expression of numbers whose name is certain, and some whose name is not.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("a_b"),
        Just("T.A_b"),
        Just("total"),
        Just("year"),
        Just("\"Total\""),
        Just("1"),
        Just("0.50"),
        Just("100.00"),
        Just(".5"),
        Just("1e3"),
        Just("007"),
        Just("1_000"),
        Just("s::INT"),
        Just("length('a''b')"),
        Just("length('it')"),
        Just("-1"),
        Just("9999999999999999999999"),
        Just("s:: bigint::Decimal( 9 , 2 )"),
        Just("length(substring(s, 1,2))"),
        Just("year(d)"),
    ]
    .prop_map(str::to_owned);
    leaf.prop_recursive(5, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (
                two.clone(),
                prop::sample::select(vec![
                    "+", " - ", "*", " / ", "//", " % ", " ** ", "^", " & ", " = ", " || "
                ])
            )
                .prop_map(|((left, right), operator)| format!("{left}{operator}{right}")),
            inner.clone().prop_map(|inner| format!("({inner})")),
            inner
                .clone()
                .prop_map(|inner| format!("CAST({inner} AS numeric(18 ,3))")),
            inner
                .clone()
                .prop_map(|inner| format!("try_cast( {inner} AS double )")),
            (
                inner.clone(),
                prop::sample::select(vec![
                    "ABS", "round", "Greatest", "sqrt", "coalesce", "nullif"
                ])
            )
                .prop_map(|(inner, function)| format!("{function}({inner}, 1)")),
            (
                inner.clone(),
                prop::sample::select(vec![
                    "abs", "sqrt", "floor", "ceil", "least", "sign", "- ", "+"
                ])
            )
                .prop_map(|(inner, function)| format!("{function}({inner})")),
            (
                two,
                prop::sample::select(vec![
                    "sum(",
                    "max( ",
                    "count(DISTINCT ",
                    "string_agg(",
                    "arg_min("
                ])
            )
                .prop_map(|((left, right), aggregate)| match aggregate {
                    "arg_min(" | "string_agg(" => format!("{aggregate}{left}, {right})"),
                    _ => format!("{aggregate}{left})"),
                }),
        ]
    })
}

#[test]
fn made_up_names_of_expressions() {
    let engine = Connection::open_in_memory().unwrap();
    engine
        .execute_batch(
            "CREATE TABLE t (a_b INTEGER, total INTEGER, year INTEGER, s VARCHAR, d DATE)",
        )
        .unwrap();
    let mut runner = TestRunner::deterministic();
    let (mut known, mut certain) = (0, 0);
    let strategy = expression();
    for _ in 0..1_200 {
        let expression = strategy.new_tree(&mut runner).unwrap().current();
        let Some((ours, theirs)) = named(&engine, &format!("SELECT {expression} FROM t")) else {
            continue;
        };
        known += 1;
        let [ours] = &ours[..] else {
            panic!("{expression}: {ours:?}")
        };
        // A column alone is named as its table, which is not known here, spells it.
        let Some(ours) = ours.as_deref().filter(|_| !is_column(&expression)) else {
            continue;
        };
        certain += 1;
        assert_eq!([ours], theirs[..], "{expression}");
    }
    println!("expressions: {known} that the engine takes, {certain} names made up");
    assert!(certain > 200);
}

/// Whether it is a column, in brackets or not.
fn is_column(expression: &str) -> bool {
    ["a_b", "T.A_b", "total", "year", "\"Total\""].contains(&expression.trim_matches(['(', ')']))
}

/// The tables of the engine, as those of a lake `tpc`.
fn schemas(engine: &Connection) -> Schemas {
    let sql = "SELECT table_name, string_agg(column_name, ',' ORDER BY column_index) FROM duckdb_columns()
               WHERE NOT internal GROUP BY table_name";
    let mut statement = engine.prepare(sql).unwrap();
    let tables = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    let mut schemas = Schemas::new();
    for table in tables.unwrap() {
        let (name, columns): (String, String) = table.unwrap();
        let asset = Asset::parse_target(&format!("ducklake://tpc/{name}")).unwrap();
        schemas.insert(&asset, columns.split(',').map(str::to_owned).collect());
    }
    schemas
}

/// The names of a query's columns, as the engine gives them.
fn described(engine: &Connection, query: &str) -> Vec<String> {
    let query = query.trim().trim_end_matches(';');
    // In brackets and on lines of its own: two columns of one name keep it.
    let mut statement = engine.prepare(&format!("DESCRIBE (\n{query}\n)")).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// One or more statements of each type that the engine's parser gives.
const TYPES: [(StatementType, &str); 21] = [
    (
        StatementType::Select,
        "SELECT 1; FROM t; VALUES (1); TABLE t; UNPIVOT t ON a; (SELECT 1); WITH a AS (SELECT 1) FROM a; DESCRIBE t; DESC t; \
         SUMMARIZE t; SHOW TABLES; SHOW t; SHOW ALL TABLES; PIVOT t ON a IN (1, 2)",
    ),
    (
        StatementType::Insert,
        "INSERT INTO t VALUES (1); INSERT OR REPLACE INTO t FROM u; INSERT INTO t DEFAULT VALUES; \
         WITH a AS (SELECT 1) INSERT INTO t FROM a; INSERT INTO temp.t BY NAME FROM u",
    ),
    (
        StatementType::Update,
        "UPDATE t SET a = 1; WITH a AS (SELECT 1) UPDATE t SET a = 1; UPDATE temp.t SET a = 1",
    ),
    (
        StatementType::Delete,
        "DELETE FROM t; TRUNCATE t; TRUNCATE TABLE t; WITH a AS (SELECT 1) DELETE FROM t; DELETE FROM temp.t",
    ),
    (
        StatementType::MergeInto,
        "MERGE INTO t USING u ON a = b WHEN MATCHED THEN DELETE",
    ),
    (
        StatementType::Create,
        "CREATE TABLE t (a INT); CREATE TEMP TABLE t AS SELECT 1; CREATE VIEW v AS FROM t; CREATE OR REPLACE TEMP VIEW v AS FROM t; \
         CREATE MACRO f(a) AS a; CREATE FUNCTION f(a) AS TABLE FROM t; CREATE SCHEMA s; CREATE TYPE t AS ENUM ('a'); \
         CREATE SEQUENCE s; CREATE TEMP SEQUENCE s; CREATE UNIQUE INDEX i ON t (a); CREATE SECRET s (TYPE s3); \
         CREATE PERSISTENT SECRET s (TYPE s3)",
    ),
    (
        StatementType::Drop,
        "DROP TABLE t; DROP VIEW v; DROP SECRET s; DROP MACRO f; DROP MACRO TABLE f; DROP FUNCTION f; DROP SCHEMA s CASCADE; \
         DROP TYPE t; DROP INDEX i; DROP SEQUENCE s; DEALLOCATE p; DROP TABLE temp.t",
    ),
    (
        StatementType::Alter,
        "ALTER TABLE t ADD COLUMN a INT; ALTER TABLE t RENAME TO b; ALTER VIEW v RENAME TO w; ALTER SEQUENCE s OWNED BY t; \
         COMMENT ON TABLE t IS 'x'; COMMENT ON COLUMN t.a IS 'x'; ALTER TABLE temp.t DROP COLUMN a",
    ),
    (
        StatementType::Copy,
        "COPY t TO 'x'; COPY (SELECT 1) TO 'x'; COPY t FROM 'x'; COPY t (a) FROM 'x'; COPY temp.t FROM 'x'",
    ),
    (
        StatementType::Attach,
        "ATTACH 'x' AS y; ATTACH IF NOT EXISTS 'x' (READ_ONLY); ATTACH DATABASE 'x'; ATTACH IF NOT EXISTS DATABASE 'x'; ATTACH OR REPLACE DATABASE 'x' AS y",
    ),
    (
        StatementType::Detach,
        "DETACH y; DETACH DATABASE IF EXISTS y",
    ),
    (
        StatementType::Set,
        "SET a = 1; SET a TO 1; SET VARIABLE a = 1; SET SESSION a = 1; SET GLOBAL a = 1; SET SCHEMA 'x'; SET TIME ZONE 'UTC'; \
         RESET a; RESET VARIABLE a; USE y; USE a.b",
    ),
    (
        StatementType::Load,
        "INSTALL x; INSTALL x FROM y; FORCE INSTALL x; LOAD x; LOAD 'x'",
    ),
    (
        StatementType::Transaction,
        "BEGIN; COMMIT; ROLLBACK; ABORT; START TRANSACTION; END; END TRANSACTION",
    ),
    (
        StatementType::Call,
        "CALL f(); CHECKPOINT; CHECKPOINT d; FORCE CHECKPOINT",
    ),
    (
        StatementType::Explain,
        "EXPLAIN SELECT 1; EXPLAIN ANALYZE SELECT 1; EXPLAIN INSERT INTO t VALUES (1)",
    ),
    (StatementType::Prepare, "PREPARE p AS SELECT 1"),
    (StatementType::Execute, "EXECUTE p; EXECUTE p(1)"),
    (
        StatementType::Vacuum,
        "VACUUM; ANALYZE; VACUUM ANALYZE t; ANALYZE t; VACUUM t (a)",
    ),
    (StatementType::Export, "EXPORT DATABASE 'x'"),
    (
        StatementType::UpdateExtensions,
        "UPDATE EXTENSIONS; UPDATE EXTENSIONS (a)",
    ),
];

#[test]
fn statements_of_every_type() {
    for (expected, texts) in TYPES {
        let mut comparison = Comparison::new();
        comparison.texts(texts.split(';').map(str::to_owned));
        comparison.finish(texts, 1);
        assert_eq!(comparison.rejected, 0, "{texts}");
        assert!(comparison.excused.is_empty(), "{:?}", comparison.excused);
        let types: Vec<_> = comparison.types.into_keys().collect();
        assert_eq!(types, [expected], "{texts}");
    }
}

/// The types are read from the engine's memory: for statements that can be prepared, its interface says the same.
#[test]
fn types_are_read_where_the_engine_keeps_them() {
    let oracle = Oracle::open().unwrap();
    for text in ["CREATE TABLE t (a INTEGER)", "PREPARE p AS SELECT 1"] {
        oracle.run(text).unwrap();
    }
    for text in [
        "SELECT 1",
        "FROM t",
        "DESCRIBE t",
        "INSERT INTO t VALUES (1)",
        "UPDATE t SET a = 1",
        "DELETE FROM t",
        "MERGE INTO t USING t AS u ON t.a = u.a WHEN MATCHED THEN DELETE",
        "CREATE TABLE u (a INTEGER)",
        "DROP TABLE t",
        "ALTER TABLE t ADD COLUMN b INTEGER",
        "COPY t TO '/dev/null'",
        "BEGIN",
        "EXPLAIN FROM t",
        "EXECUTE p",
        "PREPARE q AS SELECT 1",
        "DEALLOCATE p",
        "CHECKPOINT",
        "VACUUM",
        "SET threads = 1",
        "RESET threads",
        "USE memory",
        "LOAD icu",
        "ATTACH ':memory:' AS other",
        "DETACH other",
        "EXPORT DATABASE 'x'",
    ] {
        assert_eq!(
            oracle.types(text),
            oracle.prepared(text).map(|only| vec![only]),
            "{text}"
        );
    }
}

#[test]
fn types_that_tokens_do_not_tell() {
    for (text, types, reason) in [
        ("PRAGMA version", vec![StatementType::Select], PRAGMA),
        ("PRAGMA threads = 3", vec![StatementType::Set], PRAGMA),
        (
            "PIVOT t ON a",
            vec![StatementType::Create, StatementType::Select],
            EXPANDED,
        ),
    ] {
        is_excused(text, reason);
        assert_eq!(Oracle::open().unwrap().types(text), Ok(types), "{text}");
    }
}

/// The text differs from what the engine says for this reason alone.
#[track_caller]
fn is_excused(text: &str, reason: &str) {
    let mut comparison = Comparison::new();
    comparison.texts([text.to_owned()]);
    assert!(comparison.faults.is_empty(), "{:?}", comparison.faults);
    assert_eq!(
        comparison.excused.into_keys().collect::<Vec<_>>(),
        [reason],
        "{text}"
    );
}

/// Around a query, what is written and the tables of the query.
const AROUND: [(&str, &str); 15] = [
    ("CREATE TEMP TABLE w AS ", ""),
    ("CREATE OR REPLACE VIEW w AS (", "\n)"),
    ("INSERT INTO w ", ""),
    ("INSERT INTO w BY NAME ", ""),
    ("INSERT INTO w (a, b) ", " RETURNING a, b"),
    ("COPY (", "\n) TO 'w' (FORMAT parquet)"),
    ("EXPLAIN ANALYZE ", ""),
    ("CREATE MACRO w(a) AS TABLE ", ""),
    (
        "MERGE INTO w USING (",
        "\n) AS s ON true WHEN MATCHED THEN DELETE",
    ),
    ("DELETE FROM w WHERE EXISTS (", "\n)"),
    ("UPDATE w SET a = (", "\n), b = 2 WHERE c"),
    ("PREPARE w AS ", ""),
    ("SET VARIABLE w = (", "\n)"),
    ("WITH q AS (", "\n) INSERT INTO w FROM q"),
    ("SELECT [(", "\n)]"),
];

#[test]
fn tables_of_a_query_are_found_in_other_statements() {
    let mut comparison = Comparison::new();
    let texts: Vec<_> = Queries::new(SEED + 3)
        .zip(AROUND.into_iter().cycle())
        .take(6_000)
        .collect();
    comparison.around(&texts);
    comparison.finish("other statements", 0);
    assert!(comparison.texts > 1_500, "{}", comparison.texts);
}

#[test]
fn known_disagreements_are_still_there() {
    for (text, reason) in [
        ("PIVOT t ON a", EXPANDED),
        ("COPY FROM DATABASE a TO b", EXPANDED),
        (
            "ALTER TABLE t ADD COLUMN a TIMESTAMP DEFAULT now()",
            EXPANDED,
        ),
        ("FROM t WINDOW w AS (ORDER BY (FROM u))", UNUSED_WINDOW),
        ("FROM lake. where", HALF_TYPED),
    ] {
        is_excused(text, reason);
    }
}

/// What the texts above keep clear of, each with the number of tables that we see in it.
#[test]
fn disagreements_that_no_text_should_have() {
    for (text, tables, _reason) in [
        (
            "SELECT * /* ' */ FROM\u{3000}t",
            1,
            "the engine makes wide spaces narrow before it lexes, and then takes a quote in a comment for a string's",
        ),
        (
            "SELECT f((((WITH t AS (FROM u) FROM t)) LIMIT (FROM t)))",
            2,
            "in an expression's brackets we do not see that the LIMIT belongs to the query that has the common table",
        ),
    ] {
        let mut comparison = Comparison::new();
        comparison.texts([text.to_owned()]);
        assert_eq!(comparison.faults.len(), 1, "{text}");
        let body = read(text, 0, &mut Vec::new());
        assert_eq!(body.statements[0].tables.len(), tables, "{text}");
    }
}
