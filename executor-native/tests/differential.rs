//! The core reads a body as the engine does: where its statements begin and end, what they are, and which tables they name.
//!
//! The texts are drawn from a grammar (`parity_corpus::sql`), come from the tests of another SQL tool, are near misses of
//! both, and are the queries of TPC-H and TPC-DS where the engine's extensions of these names are installed, which set-up
//! does not do.
// The oracle talks to DuckDB in its own way; what was compared is printed for whoever asks with `--no-capture`.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stdout)]

#[path = "differential/compare.rs"]
mod compare;
#[path = "differential/tree.rs"]
mod tree;

use compare::{Comparison, EXPANDED, HALF_TYPED, UNUSED_WINDOW};
use parity_corpus::sql::Queries;
use parser_core::body::read;

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
fn queries_of_tpc_where_they_are_installed() {
    for (extension, least) in [("tpch", 22), ("tpcds", 99)] {
        let mut comparison = Comparison::new();
        let queries = comparison.queries_of(extension);
        let Some(queries) = queries else {
            println!("{extension}: not installed");
            continue;
        };
        comparison.texts(queries);
        comparison.finish(extension, least);
    }
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
        let mut comparison = Comparison::new();
        comparison.texts([text.to_owned()]);
        assert!(comparison.faults.is_empty(), "{:?}", comparison.faults);
        assert_eq!(
            comparison.excused.into_keys().collect::<Vec<_>>(),
            [reason],
            "{text}"
        );
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
