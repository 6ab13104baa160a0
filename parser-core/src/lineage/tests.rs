use super::{Schemas, trace};
use crate::asset::{Asset, AssetKind};
use crate::body::tests::pieces::pieces;
use proptest::prelude::*;

/// Columns of the lake's tables in the tests with schemas.
const TABLES: [(&str, &[&str]); 4] = [
    ("t", &["a", "b", "c", "s", "l"]),
    ("u", &["a", "d"]),
    ("v", &["a", "e"]),
    ("Mixed", &["Id", "Order Total"]),
];

/// Lineage as `a = t.x t.y, b = ?`: `?` where it is not known, `…` at the end when there may be other columns.
fn lineage(text: &str, schemas: &Schemas) -> String {
    let script = crate::parse(text).script;
    let lineage = trace(text, &script, schemas);
    let mut shown: Vec<String> = lineage
        .columns
        .iter()
        .map(|column| {
            let inputs = match lineage.inputs(column) {
                Some(inputs) => inputs
                    .iter()
                    .map(|input| {
                        let path = input.asset.path.as_str();
                        let path = path.strip_prefix("l/").unwrap_or(path);
                        assert!(!input.span.is_empty(), "{text}");
                        format!(" {path}.{}", input.column)
                    })
                    .collect(),
                None => " ?".to_owned(),
            };
            format!("{} ={inputs}", column.name.as_deref().unwrap_or("?"))
        })
        .collect();
    if !lineage.is_complete {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

fn known() -> Schemas {
    let mut schemas = Schemas::new();
    for (table, columns) in TABLES {
        let columns = columns.iter().map(|column| (*column).to_owned()).collect();
        schemas.insert(
            &Asset::new(AssetKind::Ducklake, format!("L/{table}")),
            columns,
        );
    }
    schemas
}

/// Each line is a query and its lineage, `=>` between them.
fn check(lines: &str, schemas: &Schemas) {
    let mut wrong = String::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (query, expected) = line.rsplit_once("=>").expect("a line has its lineage");
        let text = format!("ATTACH 'ducklake://l' AS l; {query}");
        let found = lineage(&text, schemas);
        if found != expected.trim() {
            wrong.push_str(&format!(
                "\n{query}\n  expected {}\n  found    {found}",
                expected.trim()
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn columns_are_traced_without_schemas() {
    check(include_str!("tests/open.txt"), &Schemas::new());
}

#[test]
fn columns_are_traced_with_schemas() {
    check(include_str!("tests/known.txt"), &known());
}

#[test]
fn columns_read_are_told_when_all_are_known() {
    for (query, expected) in [
        (
            "SELECT a FROM l.t WHERE b > 1 GROUP BY c ORDER BY d",
            "t: a b c d",
        ),
        ("SELECT a AS x FROM l.t ORDER BY x", "t: a"),
        ("SELECT count(*) FROM l.t", "t:"),
        ("SELECT * FROM l.t", "t ?"),
        ("SELECT t.a FROM l.t JOIN l.u USING (id)", "t: id a; u: id"),
        ("SELECT t.a, d FROM l.t JOIN l.u ON t.id = u.id", "t ?; u ?"),
        ("SELECT x.a FROM (SELECT * FROM l.t) x WHERE x.b", "t: a b"),
        ("WITH x AS (SELECT a FROM l.t) SELECT 1 AS one", "t: a"),
        (
            "SELECT u.a FROM l.u WHERE EXISTS (SELECT * FROM l.t WHERE t.a = u.b)",
            "u: a b; t: a",
        ),
        (
            "CREATE TEMP TABLE k AS SELECT a FROM l.t; SELECT b FROM l.t",
            "t: a b",
        ),
        ("INSERT INTO l.t SELECT a FROM l.u", "t ?; u: a"),
        ("DELETE FROM l.t USING l.u WHERE u.a = t.a", "t ?; u ?"),
        ("PIVOT l.t ON a", "t ?"),
        ("PIVOT l.t ON a USING sum(b) GROUP BY c", "t: a b c"),
        ("SELECT a FROM l.t WHERE COLUMNS(*) > 0", "t ?"),
    ] {
        let text = format!("ATTACH 'ducklake://l' AS l; {query}");
        let script = crate::parse(&text).script;
        let schemas = Schemas::new();
        let lineage = trace(&text, &script, &schemas);
        let shown: Vec<String> = script
            .body
            .assets
            .iter()
            .zip(&lineage.reads)
            .map(|(used, columns)| match columns {
                Some(columns) => {
                    let columns: String = columns.iter().map(|name| format!(" {name}")).collect();
                    format!("{}:{columns}", &used.asset.path[2..])
                }
                None => format!("{} ?", &used.asset.path[2..]),
            })
            .collect();
        assert_eq!(shown.join("; "), expected, "{query}");
    }
}

#[test]
fn a_column_line_wins() {
    let text = "-- column x <- ducklake://l/u.p\n-- column X <- ducklake://l/u.q\n-- column far <- ducklake://l/w.z\n\
                ATTACH 'ducklake://l' AS l; SELECT a AS y, b AS x FROM l.t";
    assert_eq!(
        lineage(text, &Schemas::new()),
        "y = t.a, x = u.p u.q, far = w.z"
    );
}

#[test]
fn a_range_is_where_the_column_is_named() {
    let text = "ATTACH 'ducklake://l' AS l; WITH x AS (SELECT o.net AS n FROM l.o) SELECT n + 1 AS m FROM x";
    let script = crate::parse(text).script;
    let schemas = Schemas::new();
    let lineage = trace(text, &script, &schemas);
    let (_, span, inputs) = lineage.known().next().expect("a column");
    assert_eq!(
        (span.slice(text), inputs[0].span.slice(text)),
        ("n + 1 AS m", "o.net")
    );
}

/// Text that is as deep or as long as this, out of one piece.
fn repeated(before: &str, piece: &str, count: usize, after: &str) -> String {
    format!(
        "ATTACH 'ducklake://l' AS l; {before}{}{after}",
        piece.repeat(count)
    )
}

#[test]
fn neither_depth_nor_work_overflows() {
    for text in [
        repeated("SELECT ", "(", 100_000, ""),
        repeated("SELECT ", "f(", 100_000, "a FROM l.t"),
        repeated("", "SELECT * FROM (", 100_000, ""),
        repeated("", "SELECT (SELECT ", 100_000, ""),
        repeated(
            "",
            "WITH RECURSIVE a AS (SELECT 1 UNION ",
            1_000,
            "SELECT 1",
        ),
        repeated("SELECT ", "[x FOR x IN ", 50_000, "l]"),
        repeated("SELECT ", "{'a': ", 50_000, ""),
        repeated("SELECT ", "lambda x: ", 50_000, "x"),
        repeated("SELECT a FROM ", "(", 50_000, "l.t"),
        repeated("PIVOT l.t ON a ", "IN (1, 2, 3, 4), b ", 20_000, "IN (1)"),
        repeated(
            "PIVOT l.t ON a IN (1",
            ", 2",
            20_000,
            &[" ) USING f(x)", &", f(x)".repeat(20_000)].concat(),
        ),
        repeated(
            "WITH x AS (SELECT 1 AS aaaaaaaa) SELECT ",
            "COLUMNS('a*a*a*a*b'), ",
            20_000,
            "1 FROM x",
        ),
        repeated("UNPIVOT l.t ON ", "((a), ", 50_000, "b"),
        repeated(
            "CREATE TEMP MACRO f(",
            "a, ",
            20_000,
            &["b) AS b; SELECT 1", &" + f(1)".repeat(20_000)].concat(),
        ),
        repeated("SELECT a FROM l.t JOIN ", "(l.t JOIN ", 50_000, "l.t"),
        // Columns that multiply: the second has more of them than there are atoms.
        repeated(
            "WITH a AS (SELECT x, y FROM l.t), ",
            "a AS (SELECT *, x + y FROM a), ",
            5_000,
            "b AS (SELECT 1) FROM a",
        ),
        repeated(
            "WITH a AS (SELECT x FROM l.t), ",
            "a AS (SELECT *, * FROM a), ",
            300,
            "b AS (SELECT 1) FROM a",
        ),
    ] {
        let script = crate::parse(&text).script;
        let _ = trace(&text, &script, &Schemas::new());
    }
}

proptest! {
    #[test]
    fn any_text_is_traced(text in pieces(), begin in 0usize..4) {
        let begin = ["", "SELECT ", "FROM l.t SELECT ", "WITH RECURSIVE a AS (FROM l.t UNION SELECT "][begin];
        for text in [text.clone(), format!("ATTACH 'ducklake://l' AS l; {begin}{text}")] {
            let script = crate::parse(&text).script;
            for schemas in [Schemas::new(), known()] {
                let lineage = trace(&text, &script, &schemas);
                prop_assert_eq!(lineage.reads.len(), script.body.assets.len());
                for (_, span, inputs) in lineage.known() {
                    prop_assert!(text.get(span.start..span.end).is_some());
                    for input in inputs {
                        prop_assert!(text.get(input.span.start..input.span.end).is_some());
                    }
                }
            }
        }
    }

    #[test]
    fn any_query_is_traced(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let text = format!("ATTACH 'ducklake://l' AS l; {}", words.join(" "));
        let script = crate::parse(&text).script;
        for schemas in [Schemas::new(), known()] {
            let _ = trace(&text, &script, &schemas).known().count();
        }
    }
}

/// Out of these the odd queries are made.
const WORDS: &[&str] = &[
    "SELECT",
    "FROM",
    "WITH",
    "RECURSIVE",
    "a",
    "AS",
    "(",
    ")",
    "l.t",
    "t",
    ".",
    "*",
    ",",
    "UNION",
    "EXCEPT",
    "BY NAME",
    "JOIN",
    "USING",
    "NATURAL",
    "ON",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "[",
    "]",
    "FOR",
    "IN",
    "x",
    "->",
    "lambda",
    ":",
    "{",
    "}",
    "::",
    "EXCLUDE",
    "REPLACE",
    "RENAME",
    "COLUMNS",
    "VALUES",
    "TABLE",
    "PIVOT",
    "LATERAL",
    "unnest",
    "OVER",
    "WINDOW",
    "PARTITION BY",
    "INTERVAL",
    "1",
    "'s'",
    "CASE",
    "END",
    "IS",
    "DISTINCT",
    "INSERT INTO",
    "CREATE TEMP TABLE",
    "k",
    ";",
    "l.u",
    "RIGHT",
    "FULL",
    "UNPIVOT",
    "GROUP BY",
    "CREATE TEMP MACRO",
    "INTO NAME",
    "ROWS BETWEEN",
    "PRECEDING",
];

#[test]
fn columns_flow_from_script_to_script() {
    let texts = [
        "-- materialize ducklake://l/c\nATTACH 'ducklake://l' AS l; SELECT * FROM l.b JOIN l.far USING (x)",
        "-- materialize ducklake://l/b\n-- partitioned daily\nATTACH 'ducklake://l' AS l; SELECT p + q AS x, r AS y FROM l.a",
        "-- materialize manual ducklake://l/m\n-- column k <- ducklake://l/a.p\nSELECT 1 AS other",
    ];
    let scripts = texts.map(|text| crate::parse(text).script);
    let nodes: Vec<_> = scripts
        .iter()
        .zip(["c", "b", "m"])
        .map(|(script, path)| crate::graph::Node { path, script })
        .collect();
    let mut found: Vec<String> = super::flows(&nodes, &texts)
        .iter()
        .map(|flow| {
            let inputs = flow.inputs.iter().flatten();
            let inputs: String = inputs
                .map(|input| format!(" {}.{}", input.asset.path, input.column))
                .collect();
            format!(
                "{}.{} ={inputs}",
                flow.output.asset.path, flow.output.column
            )
        })
        .collect();
    found.sort();
    assert_eq!(
        found,
        [
            "l/b.x = l/a.p l/a.q",
            "l/b.y = l/a.r",
            "l/c._wm_partition = l/b._wm_partition",
            "l/c.x = l/b.x",
            "l/c.y = l/b.y",
            "l/m.k = l/a.p"
        ]
    );
}
