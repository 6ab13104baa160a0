//! `lakemill test`, and reports for continuous integration.

use super::{BAD, GOOD, REPLACE_PARTITION, VIOLATIONS, counts, project, run, script};
use crate::project::Project;

#[test]
fn junit_tells_every_script_and_every_test() {
    let project = Project::new(&[
        (
            "a",
            "-- materialize ducklake://shop/a\n-- data_test accepted_values n = 1,2\n-- data_test accepted_values n = 3\nSELECT 1 AS n",
        ),
        (
            "b",
            "-- materialize ducklake://shop/b\n-- data_test unique n\nATTACH 'ducklake://shop' AS s;\nSELECT n FROM s.a",
        ),
        (
            "c",
            "-- materialize ducklake://shop/c\n-- data_test tests/gone\nSELECT 1 AS n",
        ),
    ]);
    let done = project.run(&["run", "--junit", "-"]).fails(1);
    let xml = &done.stdout;
    for part in [
        "<?xml",
        "tests=\"4\" failures=\"1\" errors=\"1\"",
        "<testcase name=\"accepted_values n\" classname=\"pipelines/a.sql\"",
        "<testcase name=\"accepted_values n (2)\"",
        "type=\"violation\">the data test `accepted_values n` of pipelines/a.sql has 1 violating",
        "<testsuite name=\"pipelines/b.sql\" tests=\"1\" disabled=\"0\" errors=\"0\" failures=\"0\"",
        "skipped=\"1\">",
        "<skipped message=\"a script that this one needs failed\"/>",
        "type=\"LM313\">the data test `tests/gone` cannot run",
    ] {
        assert!(xml.contains(part), "{part}: {xml}");
    }
    assert!(xml.matches(" time=\"").count() >= 4, "{xml}");
    assert_eq!(xml.matches("skipped=\"0\"").count(), 2, "{xml}");
    assert!(xml.trim_end().ends_with("</testsuites>"), "{xml}");

    let done = project
        .run(&["test", "shop/a", "a", "a", "--junit", "-"])
        .fails(1);
    assert!(done.stdout.starts_with("<?xml"), "{}", done.stdout);
    assert_eq!(done.stdout.matches("<testsuite ").count(), 1);
    project
        .run(&["run", "a", "--json", "--junit", "-"])
        .fails(2);
    project.run(&["test", "--json", "--junit", "-"]).fails(2);
    let done = project.run(&["run", "c", "--json"]).fails(1);
    assert_eq!(done.json()["runs"][0]["error"]["code"], "LM313");
}

#[test]
fn a_wrong_partition_is_wrong_usage_everywhere() {
    let project = Project::new(&[
        (
            "daily",
            "-- partitioned daily start=2024-01-01\n-- materialize ducklake://shop/daily\n-- data_test unique d\nSELECT {partition} AS d",
        ),
        (
            "plain",
            "-- materialize ducklake://shop/plain\n-- data_test unique d\nSELECT 1 AS d",
        ),
    ]);
    project.run(&["run", "--partition", "2024-01-01"]).ok();
    for command in ["run", "plan", "test"] {
        for (script, value) in [
            ("daily", "2024-13-01"),
            ("daily", "2023-01-01"),
            ("plain", "2024-01-01"),
        ] {
            let done = project.run(&[command, script, "--partition", value]);
            done.fails(2).says(&format!("pipelines/{script}.sql"));
        }
    }
    project.run(&["run", "--partition", "2024-13-01"]).fails(2);
}

#[test]
fn tables_are_tested_as_they_are() {
    let project = project(REPLACE_PARTITION);
    let good = script(REPLACE_PARTITION, GOOD);
    run(&project, &good, Some("2024-01-01"), "commit-then-test");
    let planted = BAD.replace("'u1'", "'planted <&> \u{1F986}'");
    let bad = script(REPLACE_PARTITION, &planted);
    run(&project, &bad, Some("2024-01-02"), "commit-then-test");
    let snapshots = project.snapshots("shop/t");

    let junit = project.root().join("tests.xml");
    let junit = junit.to_str().unwrap();
    let done = project
        .run(&["test", "shop/t", "--json", "--junit", junit])
        .fails(1);
    let reply = done.json();
    let tests = reply["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 2);
    assert_eq!(counts(&tests[0]["dataTests"]), [0; 6]);
    assert_eq!(counts(&tests[1]["dataTests"]), VIOLATIONS);
    assert!(tests[1]["dataTests"].to_string().contains("planted"));
    assert_eq!(project.snapshots("shop/t"), snapshots);

    let xml = std::fs::read_to_string(junit).unwrap();
    assert!(xml.contains("tests=\"12\" failures=\"5\""), "{xml}");
    assert!(xml.contains("2 violating"), "{xml}");
    // Rows stay out of what is kept.
    assert!(!xml.contains("planted"), "{xml}");
    let state = std::fs::read(project.root().join(".lakemill/state.sqlite")).unwrap();
    let holds = |bytes: &[u8]| bytes.windows(7).any(|window| window == b"planted");
    assert!(!holds(&state));

    project
        .run(&["test", "pipelines/t.sql", "--partition", "2024-01-01"])
        .ok()
        .says("6 data test(s) passed");
    project.run(&["test", "shop/nothing"]).fails(2);
    project
        .run(&["test", "known"])
        .fails(2)
        .says("has no data test");
}

#[test]
fn nothing_to_test_is_not_a_pass() {
    let project = project(REPLACE_PARTITION);
    let good = script(REPLACE_PARTITION, GOOD);
    run(&project, &good, Some("2024-01-01"), "commit-then-test");
    project
        .run(&["test", "t", "--partition", "2024-01-09"])
        .fails(1)
        .says("no slice `2024-01-09`");
    project
        .run(&["test", "known", "--partition", "2024-01-09"])
        .fails(2);
    project
        .run(&["test", "tests/negative"])
        .fails(2)
        .says("is a data test");
    project
        .run(&["run", "tests/negative"])
        .fails(2)
        .says("is a data test");
    project.run(&["check"]).ok();
    project.write("outside.sql", "FROM _wm_target");
    let text =
        "-- materialize ducklake://shop/t2\n-- data_test tests/../../outside\nSELECT 1 AS id";
    let report = run(&project, text, None, "commit-then-test");
    let message = report["error"]["message"].as_str().unwrap();
    assert!(message.contains("below `pipelines/`"), "{message}");
}

/// What `lakemill test` found, as `(slice, violating rows of each test)`, and how it ended.
fn tested(project: &Project, code: i32) -> Vec<(String, Vec<i64>)> {
    let reply = project.run(&["test", "t", "--json"]).fails(code).json();
    let reports = reply["tests"].as_array().unwrap().iter();
    reports
        .map(|report| {
            let slice = report["partition"].as_str().unwrap_or_default();
            (slice.to_owned(), counts(&report["dataTests"]))
        })
        .collect()
}

#[test]
fn a_slice_that_a_run_emptied_is_tested() {
    let text = |rows: &str| {
        format!(
            "-- partitioned daily start=2024-01-01\n-- materialize ducklake://shop/t\n-- data_test unique n\n{rows}"
        )
    };
    let count = "-- data_test row_count >= 1\n";
    let full = "SELECT 1 AS n WHERE {partition} IS NOT NULL";
    let empty = "SELECT 1 AS n WHERE {partition} IS NULL";
    let project = Project::new(&[("t", &text(full))]);
    let run = |day: &str| project.run(&["run", "t", "--partition", day]);
    run("2024-01-01").ok();
    run("2024-01-02").ok();
    project.write("pipelines/t.sql", &text(empty));
    run("2024-01-02").ok();
    let slice = |day: &str, found: &[i64]| (day.to_owned(), found.to_vec());
    assert_eq!(
        tested(&project, 0),
        [slice("2024-01-01", &[0]), slice("2024-01-02", &[0])]
    );
    project.write("pipelines/t.sql", &text(&format!("{count}{empty}")));
    assert_eq!(
        tested(&project, 1),
        [slice("2024-01-01", &[0, 0]), slice("2024-01-02", &[0, 1])]
    );
    project
        .run(&["test", "t", "--partition", "2024-01-02"])
        .fails(1)
        .says("row_count >= 1 (1 violating)");

    // Without a row in the whole table, too.
    project.write("pipelines/t.sql", &text(empty));
    run("2024-01-01").ok();
    project.write("pipelines/t.sql", &text(&format!("{count}{empty}")));
    assert_eq!(
        tested(&project, 1),
        [slice("2024-01-01", &[0, 1]), slice("2024-01-02", &[0, 1])]
    );
}

#[test]
fn nothing_that_could_be_tested_is_told() {
    let text = "-- partitioned daily start=2024-01-01\n-- materialize ducklake://shop/t\n-- data_test unique n\n\
                SELECT 1 AS n WHERE {partition} IS NOT NULL";
    let project = Project::new(&[("t", text)]);
    project.run(&["run", "t", "--partition", "2024-01-01"]).ok();
    // Nobody remembers the slice, and its rows are gone.
    project.write(
        "pipelines/gone.sql",
        "ATTACH 'ducklake://shop' AS s;\nDELETE FROM s.t",
    );
    project.run(&["run", "gone"]).ok();
    for file in ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"] {
        let _ = std::fs::remove_file(project.root().join(".lakemill").join(file));
    }
    let done = project.run(&["test", "t", "--json"]).fails(1);
    let report = &done.json()["tests"][0];
    let error = report["error"].as_str().unwrap();
    assert!(error.contains("nothing was tested"), "{error}");
    assert_eq!(report["passed"], false);
    let done = project.run(&["test", "t", "--junit", "-"]).fails(1);
    assert!(
        done.stdout.contains("nothing was tested"),
        "{}",
        done.stdout
    );

    project.write(
        "pipelines/t.sql",
        "-- materialize ducklake://shop/t\nSELECT 1 AS n",
    );
    let done = project.run(&["test", "--json"]).ok();
    assert_eq!(done.json(), serde_json::json!({ "tests": [] }));
    assert!(
        done.stderr.contains("no data test to run"),
        "{}",
        done.stderr
    );
}

#[test]
fn slices_that_the_script_has_none_for_are_told_and_former_ones_are_not() {
    let rows = "TIMESTAMP '2024-01-02 03:00' AS at, TIMESTAMP '2024-01-03 03:00' AS later";
    let sliced = |grain: &str| {
        format!(
            "-- partitioned {grain} start=2024-01-01\n-- materialize ducklake://shop/t\n-- data_test row_count >= 1\n\
             SELECT {rows} WHERE {{partition}} IS NOT NULL"
        )
    };
    let project = Project::new(&[("t", &sliced("daily"))]);
    project.run(&["run", "t", "--partition", "2024-01-02"]).ok();
    project.write("pipelines/t.sql", &sliced("hourly"));
    let done = project.run(&["test", "t", "--json"]).fails(1).json();
    let error = done["tests"][0]["error"].as_str().unwrap();
    assert_eq!(done["tests"][0]["partition"], "2024-01-02");
    assert!(error.contains("2024-01-02"), "{error}");

    // Once the whole table is written anew, its rows are in other slices.
    project.write(
        "pipelines/t.sql",
        &format!("-- materialize ducklake://shop/t\nSELECT {rows}"),
    );
    project.run(&["rebuild", "shop/t"]).ok();
    project.write("pipelines/t.sql", &sliced("daily"));
    project.run(&["rebuild", "shop/t", "--by", "later"]).ok();
    assert_eq!(tested(&project, 0), [("2024-01-03".to_owned(), vec![0])]);
}
