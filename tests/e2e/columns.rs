//! Columns that follow the SELECT, `on_schema_change=sync`.

use std::fmt::Write as _;

use parser_core::plan::widens;

use crate::project::Project;

/// Types, each with its least and greatest values.
const TYPES: [(&str, [&str; 2]); 19] = [
    ("TINYINT", ["-128", "127"]),
    ("SMALLINT", ["-32768", "32767"]),
    ("INTEGER", ["-2147483648", "2147483647"]),
    ("BIGINT", ["-9223372036854775808", "9223372036854775807"]),
    ("UTINYINT", ["0", "255"]),
    ("USMALLINT", ["0", "65535"]),
    ("UINTEGER", ["0", "4294967295"]),
    ("UBIGINT", ["0", "18446744073709551615"]),
    ("HUGEINT", ["-1", "1"]),
    ("UHUGEINT", ["0", "1"]),
    ("FLOAT", ["0.1", "3.4028235e38"]),
    ("DOUBLE", ["0.1", "1.7976931348623157e308"]),
    ("DECIMAL(4,1)", ["-999.9", "999.9"]),
    ("DECIMAL(20,2)", ["-0.01", "999999999999999999.99"]),
    ("DECIMAL(38,3)", ["0", "1"]),
    ("DATE", ["'0001-01-01 (BC)'", "'9999-12-31'"]),
    (
        "TIMESTAMP_S",
        ["'1000-01-01 00:00:01'", "'9999-12-31 23:59:59'"],
    ),
    (
        "TIMESTAMP_MS",
        ["'1000-01-01 00:00:00.001'", "'9999-12-31 23:59:59.999'"],
    ),
    ("TIMESTAMP", ["'1000-01-01'", "'9999-12-31'"]),
];

/// A row of values, one for each widening that there is: from the first and the second type.
fn rows(as_wide: bool) -> String {
    let mut selects = [String::new(), String::new()];
    for (at, select) in selects.iter_mut().enumerate() {
        write!(select, "SELECT {at} AS row").unwrap();
        for (from, to, values) in widenings() {
            let value = format!("CAST({} AS {from})", values[at]);
            let name = format!("{from} to {to}");
            let wide = if as_wide { to } else { from };
            write!(select, ", CAST({value} AS {wide}) AS \"{name}\"").unwrap();
            write!(
                select,
                ", [CAST({value} AS {wide})] AS \"{name} in a list\""
            )
            .unwrap();
        }
    }
    selects.join(" UNION ALL ")
}

fn widenings() -> impl Iterator<Item = (&'static str, &'static str, [&'static str; 2])> {
    TYPES.iter().flat_map(|(from, values)| {
        let wider = TYPES.iter().filter(|(to, _)| widens(from, to));
        wider.map(|(to, _)| (*from, *to, *values))
    })
}

#[test]
fn each_widening_keeps_values_findable_and_old_versions_readable() {
    assert!(widenings().count() > 60);
    let script = |body: &str| {
        format!("-- materialize ducklake://shop/t append on_schema_change=sync\n{body}\n")
    };
    let project = Project::new(&[("t", &script(&rows(false)))]);
    let snapshot = |done: serde_json::Value| done["runs"][0]["summary"]["snapshotId"].clone();
    let narrow = snapshot(project.run(&["run", "t", "--json"]).ok().json()).to_string();
    let preview = |version: &[&str]| {
        let arguments = [&["preview", "shop/t", "--json"], version].concat();
        project.run(&arguments).ok().json()
    };
    let before = preview(&[]);

    project.write("pipelines/t.sql", &script(&rows(true)));
    project.run(&["run", "t"]).ok();
    // What is written later must not hide what was there.
    project.run(&["run", "t"]).ok();
    let now = preview(&[]);
    let mut found: Vec<String> = now["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 2, "each of the two rows thrice");
    let old = preview(&["--version", &narrow]);
    assert!(old["columns"] == before["columns"] && old["rows"] == before["rows"]);

    let mut counts = String::from("SELECT 6 AS rows");
    for (from, to, values) in widenings() {
        for (at, value) in values.iter().enumerate() {
            let wide = format!("CAST(CAST({value} AS {from}) AS {to})");
            let name = format!("{from} to {to}");
            write!(
                counts,
                ", (SELECT count(*) FROM lake.t WHERE \"{name}\" = {wide}) AS \"{name} {at}\""
            )
            .unwrap();
        }
    }
    let reader = format!(
        "-- materialize ducklake://shop/found\nATTACH 'ducklake://shop' AS lake;\n{counts}\n"
    );
    project.write("pipelines/found.sql", &reader);
    project.run(&["run", "found"]).ok();
    let counts = project
        .run(&["preview", "shop/found", "--json"])
        .ok()
        .json();
    for (name, count) in counts["rows"][0].as_object().unwrap() {
        assert!(name == "rows" || *count == 3, "{name}: {count}");
    }
}

#[test]
fn a_table_may_change_all_its_columns_but_not_lose_them() {
    let script = |body: &str| {
        format!("-- materialize ducklake://shop/t append on_schema_change=sync\nSELECT {body}\n")
    };
    let project = Project::new(&[("t", &script("5::TINYINT AS n, 'a' AS gone"))]);
    project.run(&["run"]).ok();
    project.write("pipelines/t.sql", &script("300 AS n"));
    project.run(&["run"]).ok().says("dropped").says("widened");
    project.write("pipelines/t.sql", &script("3000000000 AS n"));
    let plan = project.run(&["plan", "t"]).ok();
    plan.says("CREATE OR REPLACE TEMP TABLE \"temp\".\"main\".\"_wm_kept\"")
        .says("DROP COLUMN \"_wm_held\"");
    project.run(&["run"]).ok();
    assert_eq!(project.rows("shop/t").len(), 3);
    let counts = project.snapshots("shop/t").len();
    assert_eq!(counts, 3, "one snapshot for each run");
    project.write("pipelines/t.sql", &script("1 AS other"));
    project.run(&["run"]).fails(1).says("no column");
    project.write("pipelines/t.sql", &script("1 AS n, 2 AS more"));
    project
        .run(&["run"])
        .fails(1)
        .says("`n` is BIGINT in the table and INTEGER in the SELECT");
    assert_eq!(project.rows("shop/t").len(), 3);
}
