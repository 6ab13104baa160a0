//! The one query of all data tests: what it counts, and how often it looks at the table.
#![allow(clippy::unwrap_used)] // in tests, the helpers included
#![allow(clippy::disallowed_methods, reason = "the test asks the engine itself")]

use duckdb::Connection;
use parser_core::plan::sql::{Ident, Literal, Piece, TableRef, UserSql};
use parser_core::plan::{Check, Probe, Scope};
use parser_core::render;
use parser_core::script::{Comparison, Severity};
use parser_core::source::Span;
use proptest::prelude::*;

fn table(name: &str) -> TableRef {
    TableRef {
        catalog: Ident::new("memory"),
        schema: Ident::new("main"),
        table: Ident::new(name),
    }
}

fn check(probe: Probe) -> Check {
    Check {
        name: format!("{probe:?}"),
        span: Span::default(),
        severity: Severity::Error,
        probe,
    }
}

fn relationship(column: &str) -> Probe {
    Probe::Relationships {
        column: Ident::new(column),
        to: table("known"),
        to_column: Ident::new("k"),
    }
}

fn accepted(column: &str, values: &[&str]) -> Probe {
    let values = values
        .iter()
        .map(|value| Literal::Text((*value).to_owned()));
    Probe::AcceptedValues(Ident::new(column), values.collect())
}

fn expression(text: &str) -> Probe {
    let span = Span::new(0, text.len());
    Probe::Expression(UserSql {
        span,
        pieces: vec![Piece::Source {
            span,
            text: text.to_owned(),
        }],
    })
}

#[test]
fn fifty_tests_look_at_the_table_twice() {
    let engine = Connection::open_in_memory().unwrap();
    let columns: Vec<String> = (0..15).map(|at| format!("c{at}")).collect();
    let select: Vec<String> = columns
        .iter()
        .map(|name| format!("i % 7 AS {name}"))
        .collect();
    engine
        .execute_batch(&format!(
            "CREATE TABLE t AS SELECT {}, now() AS seen FROM range(100) r(i); CREATE TABLE known AS SELECT 1 AS k",
            select.join(", ")
        ))
        .unwrap();
    let mut checks: Vec<Check> = Vec::new();
    for name in &columns {
        checks.extend([
            check(Probe::Unique(Ident::new(name))),
            check(Probe::NotNull(Ident::new(name))),
            check(accepted(name, &["1", "2"])),
        ]);
    }
    checks.extend(columns.iter().take(2).map(|name| check(relationship(name))));
    checks.extend([
        check(Probe::RowCount(Comparison::AtLeast, 1)),
        check(Probe::Freshness(Ident::new("seen"), 60)),
        check(expression("c0 > c1 -- a comment")),
    ]);
    assert_eq!(checks.len(), 50);
    let query = render::checks(&checks, &table("t"), &Scope::Table).unwrap();
    let plan: String = engine
        .query_row(
            &format!("EXPLAIN (FORMAT json) {}", query.sql()),
            [],
            |row| row.get(1),
        )
        .unwrap();
    let scans = plan.matches("memory.main.t\"").count();
    assert_eq!(scans, 2, "{plan}");
}

/// What each kind of test means, without regard for how often the table is read.
fn plainly(probe: &Probe) -> String {
    match probe {
        Probe::Unique(column) => format!(
            "SELECT count(*) FROM (SELECT {0} FROM t WHERE {0} IS NOT NULL GROUP BY {0} HAVING count(*) > 1)",
            column.0
        ),
        Probe::NotNull(column) => format!("SELECT count(*) FROM t WHERE {} IS NULL", column.0),
        Probe::AcceptedValues(column, values) => {
            let values: Vec<String> = values
                .iter()
                .filter_map(Literal::as_text)
                .map(|text| format!("{} <> '{text}'", column.0))
                .collect();
            format!("SELECT count(*) FROM t WHERE {}", values.join(" AND "))
        }
        Probe::Relationships { column, .. } => format!(
            "SELECT count(*) FROM t WHERE {0} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM known WHERE k = t.{0})",
            column.0
        ),
        Probe::RowCount(comparison, rows) => format!(
            "SELECT CASE WHEN n {} {rows} THEN 0 WHEN n = {rows} THEN 1 ELSE abs(n - {rows}) END FROM (SELECT count(*) AS n FROM t)",
            comparison.as_str()
        ),
        Probe::Freshness(column, seconds) => format!(
            "SELECT CASE WHEN EXISTS (FROM t WHERE age(now()::TIMESTAMP, {}) <= to_seconds({seconds})) THEN 0 ELSE 1 END",
            column.0
        ),
        Probe::Expression(sql) => {
            let [Piece::Source { text, .. }] = sql.pieces.as_slice() else {
                unreachable!("made above")
            };
            format!("SELECT count(*) FROM t WHERE ({text}) IS FALSE")
        }
        Probe::Script(_) => unreachable!("not made here"),
    }
}

fn probe() -> impl Strategy<Value = Probe> {
    let column = prop::sample::select(vec!["a", "b", "c"]);
    let comparison = prop::sample::select(Comparison::ALL.to_vec());
    (column, comparison, 0..7usize).prop_map(|(column, comparison, kind)| match kind {
        4 => Probe::RowCount(comparison, 3),
        5 => Probe::Freshness(Ident::new("seen"), 90),
        6 => expression("a + b < 3 OR c = 1"),
        0 => Probe::Unique(Ident::new(column)),
        1 => Probe::NotNull(Ident::new(column)),
        2 => accepted(column, &["0", "2"]),
        _ => relationship(column),
    })
}

fn value() -> impl Strategy<Value = Option<i32>> {
    prop::option::of(0..4i32)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn one_query_counts_what_each_test_means(
        rows in prop::collection::vec((value(), value(), value(), value()), 0..8),
        known in prop::collection::vec(value(), 0..4),
        probes in prop::collection::vec(probe(), 1..8),
    ) {
        let engine = Connection::open_in_memory().unwrap();
        engine
            .execute_batch("CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER, seen TIMESTAMP); CREATE TABLE known (k INTEGER)")
            .unwrap();
        for (a, b, c, minutes) in &rows {
            let insert = "INSERT INTO t VALUES (?, ?, ?, now()::TIMESTAMP - to_minutes(?::BIGINT))";
            engine.execute(insert, duckdb::params![a, b, c, minutes]).unwrap();
        }
        for k in &known {
            engine.execute("INSERT INTO known VALUES (?)", [k]).unwrap();
        }
        let checks: Vec<Check> = probes.into_iter().map(check).collect();
        let query = render::checks(&checks, &table("t"), &Scope::Table).unwrap();
        let found: Vec<i64> = engine
            .query_row(query.sql(), [], |row| (0..checks.len()).map(|at| row.get(at)).collect())
            .unwrap();
        for (check, found) in checks.iter().zip(found) {
            let meant: i64 = engine.query_row(&plainly(&check.probe), [], |row| row.get(0)).unwrap();
            prop_assert_eq!(found, meant, "{}", check.name);
        }
    }
}
