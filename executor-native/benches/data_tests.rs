//! Fifty data tests over ten million rows: the one query that is rendered for them against one that a person would write.
//!
//! `cargo bench -p executor-native --bench data_tests`; `LAKEMILL_BENCH_ROWS` gives another number of rows. It prints the
//! best of three times, their ratio, and how often each query scans the table.
#![allow(
    clippy::expect_used,
    reason = "a bench that cannot run has nothing to say"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "the bench asks the engine itself"
)]
#![allow(clippy::print_stdout, reason = "what it is for")]

use std::time::{Duration, Instant};

use duckdb::Connection;
use parser_core::plan::sql::{Ident, Literal, Piece, TableRef, UserSql};
use parser_core::plan::{Check, Probe, Scope};
use parser_core::render;
use parser_core::script::{Comparison, Severity};
use parser_core::source::Span;

const ROWS: u64 = 10_000_000;
/// Columns that tests look at one row at a time.
const COLUMNS: usize = 20;
const TIMES: u32 = 3;

fn table(name: &str) -> TableRef {
    TableRef {
        catalog: Ident::new("memory"),
        schema: Ident::new("main"),
        table: Ident::new(name),
    }
}

/// A test, and what a person would put into the SELECT for it.
fn tests() -> Vec<(Probe, String)> {
    let mut tests = Vec::new();
    for at in 0..COLUMNS {
        let name = format!("c{at}");
        tests.push((
            Probe::NotNull(Ident::new(&name)),
            format!("count(*) FILTER (WHERE {name} IS NULL)"),
        ));
    }
    for at in 0..15 {
        let name = format!("c{at}");
        let values = (0..6).map(|value| Literal::Text(value.to_string()));
        tests.push((
            Probe::AcceptedValues(Ident::new(&name), values.collect()),
            format!("count(*) FILTER (WHERE {name} NOT IN (0, 1, 2, 3, 4, 5))"),
        ));
    }
    for at in 0..8 {
        let text = format!("c{at} + c{} >= 0", at + 1);
        let span = Span::new(0, text.len());
        let hand = format!("count(*) FILTER (WHERE NOT ({text}))");
        let pieces = vec![Piece::Source { span, text }];
        tests.push((Probe::Expression(UserSql { span, pieces }), hand));
    }
    for at in 0..2 {
        let name = format!("c{at}");
        let probe = Probe::Relationships {
            column: Ident::new(&name),
            to: table("known"),
            to_column: Ident::new("k"),
        };
        let hand = format!("count(*) FILTER (WHERE {name} NOT IN (SELECT k FROM known))");
        tests.push((probe, hand));
    }
    for name in ["id", "email", "c19"] {
        tests.push((
            Probe::Unique(Ident::new(name)),
            format!("count({name}) - count(DISTINCT {name})"),
        ));
    }
    tests.push((
        Probe::RowCount(Comparison::AtLeast, 1),
        "CASE WHEN count(*) >= 1 THEN 0 ELSE 1 END".to_owned(),
    ));
    tests.push((
        Probe::Freshness(Ident::new("seen"), 86_400),
        "CASE WHEN max(seen) >= now()::TIMESTAMP - INTERVAL 1 DAY THEN 0 ELSE 1 END".to_owned(),
    ));
    tests
}

fn best(engine: &Connection, query: &str) -> Duration {
    let once = || {
        let started = Instant::now();
        let answer: Result<i64, _> = engine.query_row(query, [], |row| row.get(0));
        answer.expect("the query runs");
        started.elapsed()
    };
    (0..TIMES).map(|_| once()).min().unwrap_or_default()
}

fn scans(engine: &Connection, query: &str) -> usize {
    let plan: Result<String, _> =
        engine.query_row(&format!("EXPLAIN (FORMAT json) {query}"), [], |row| {
            row.get(1)
        });
    let plan = plan.expect("the query has a plan");
    plan.matches("memory.main.t\"").count()
}

fn main() {
    let rows = std::env::var("LAKEMILL_BENCH_ROWS").ok();
    let rows = rows.and_then(|rows| rows.parse().ok()).unwrap_or(ROWS);
    let engine = Connection::open_in_memory().expect("an engine");
    let columns: Vec<String> = (0..COLUMNS)
        .map(|at| format!("((i * {}) % 7)::INTEGER AS c{at}", 2 * at + 3))
        .collect();
    let made = engine.execute_batch(&format!(
        "CREATE TABLE t AS SELECT i AS id, 'user' || i || '@example.org' AS email, now()::TIMESTAMP AS seen, {} \
         FROM range({rows}) r(i); CREATE TABLE known AS SELECT unnest(range(5))::INTEGER AS k",
        columns.join(", ")
    ));
    made.expect("a table");

    let (probes, by_hand): (Vec<Probe>, Vec<String>) = tests().into_iter().unzip();
    let checks: Vec<Check> = probes
        .into_iter()
        .map(|probe| Check {
            name: String::new(),
            span: Span::default(),
            severity: Severity::Error,
            probe,
        })
        .collect();
    let rendered = render::checks(&checks, &table("t"), &Scope::Table).expect("tests");
    let by_hand = format!("SELECT {} FROM t", by_hand.join(", "));

    let (ours, theirs) = (best(&engine, rendered.sql()), best(&engine, &by_hand));
    println!("{} data tests, {rows} rows", checks.len());
    println!(
        "rendered: {} ms, {} scans",
        ours.as_millis(),
        scans(&engine, rendered.sql())
    );
    println!(
        "by hand:  {} ms, {} scan(s)",
        theirs.as_millis(),
        scans(&engine, &by_hand)
    );
    println!("ratio:    {:.2}", ours.as_secs_f64() / theirs.as_secs_f64());
}
