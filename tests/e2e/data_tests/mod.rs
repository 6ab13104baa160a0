//! Data tests: what the themes share.

mod command;
mod refusals;
mod samples;
mod strategies;

use serde_json::Value;

use crate::project::Project;

const TESTS: &str = "-- data_test unique u
-- data_test not_null n
-- data_test accepted_values a = x,y
-- data_test relationships r -> ducklake://crm/known.k
-- data_test tests/negative
-- data_test expression \"amount >= 0\" severity=warn
";
/// Columns `id, u, n, a, r, amount`.
const GOOD: &str = "(1, 'u1', 'n', 'x', 1, 5), (2, 'u2', 'n', 'y', 2, 6)";
const BAD: &str =
    "(1, 'u1', NULL, 'z', 9, -5), (2, 'u1', NULL, 'y', 8, -6), (3, 'u3', 'n', 'x', NULL, 1)";
/// What the bad rows violate, in the order of the tests.
const VIOLATIONS: [i64; 6] = [1, 2, 1, 2, 2, 2];

/// How rows are written.
#[derive(Clone, Copy)]
struct Way {
    /// As a run's summary names it.
    strategy: &'static str,
    options: &'static str,
    is_partitioned: bool,
}

const fn way(strategy: &'static str, options: &'static str, is_partitioned: bool) -> Way {
    Way {
        strategy,
        options,
        is_partitioned,
    }
}

const REPLACE: Way = way("replace", "", false);
const REPLACE_PARTITION: Way = way("replace_partition", "", true);

/// A history has no partitions.
const WAYS: [Way; 7] = [
    REPLACE,
    way("merge", " key=id", false),
    way("append", " append", false),
    way("history", " key=id history", false),
    REPLACE_PARTITION,
    way("merge", " key=id", true),
    way("append", " append", true),
];

fn script(way: Way, rows: &str) -> String {
    let (partitioned, condition) = if way.is_partitioned {
        ("-- partitioned daily\n", " WHERE {partition} IS NOT NULL")
    } else {
        ("", "")
    };
    format!(
        "-- materialize ducklake://shop/t{}\n{partitioned}{TESTS}\
         SELECT * FROM (VALUES {rows}) AS v(id, u, n, a, r, amount){condition}",
        way.options
    )
}

/// The tables that tests refer to, and the script that is one.
fn project(way: Way) -> Project {
    let negative = if way.is_partitioned {
        "FROM _wm_target WHERE amount < 0 AND _wm_partition = {partition}"
    } else {
        "-- a comment at the end needs a line of its own\nSELECT id, amount FROM _wm_target.t WHERE amount < 0 --"
    };
    let project = Project::new(&[
        (
            "known",
            "-- materialize ducklake://crm/known\nSELECT * FROM (VALUES (1), (2), (NULL)) AS v(k)",
        ),
        ("tests/negative", negative),
    ]);
    project.run(&["run", "pipelines/known.sql"]).ok();
    project
}

fn run(project: &Project, text: &str, day: Option<&str>, mode: &str) -> Value {
    project.write("pipelines/t.sql", text);
    let mut arguments = vec!["run", "pipelines/t.sql", "--publish", mode, "--json"];
    if let Some(day) = day {
        arguments.extend(["--partition", day]);
    }
    project.run(&arguments).json()["runs"][0].clone()
}

fn counts(tests: &Value) -> Vec<i64> {
    let tests = tests.as_array().unwrap().iter();
    tests
        .map(|test| test["violating"].as_i64().unwrap())
        .collect()
}
