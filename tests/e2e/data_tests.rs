//! Data tests: every kind, with every strategy, in both publish modes.

use serde_json::{Value, json};

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

#[test]
fn every_kind_with_every_strategy() {
    each_strategy("commit-then-test");
}

#[test]
fn every_kind_with_every_strategy_before_anything_is_published() {
    each_strategy("write-audit-publish");
}

fn each_strategy(mode: &str) {
    for way in WAYS {
        let Way {
            strategy,
            is_partitioned,
            ..
        } = way;
        let what = format!("{strategy}, partitioned: {is_partitioned}, {mode}");
        let project = project(way);
        let day = |day| is_partitioned.then_some(day);
        let good = run(&project, &script(way, GOOD), day("2024-01-01"), mode);
        assert_eq!(good["status"], "materialized", "{what}: {good}");
        assert_eq!(good["summary"]["strategy"], strategy);
        assert_eq!(counts(&good["summary"]["dataTests"]), [0; 6], "{what}");
        let (rows, snapshots) = (project.rows("shop/t"), project.snapshots("shop/t"));

        let bad = run(&project, &script(way, BAD), day("2024-01-02"), mode);
        assert_eq!(bad["status"], "failed", "{what}: {bad}");
        let tests = &bad["error"]["dataTests"];
        assert_eq!(counts(tests), VIOLATIONS, "{what}: {tests}");
        // Every failed test has a sample; the message has counts and no row.
        for test in tests.as_array().unwrap() {
            let sample = test["sample"].as_array().unwrap();
            assert!(!sample.is_empty(), "{what}: {test}");
            for row in sample {
                assert!(row.get("_wm_partition").is_none() || test["test"] == "tests/negative");
            }
        }
        // The other slice has one, too, and is not looked at.
        let twice = if strategy == "append" && !is_partitioned {
            3
        } else {
            2
        };
        assert_eq!(
            tests[0]["sample"],
            json!([{ "value": "u1", "count": twice }])
        );
        let message = bad["error"]["message"].as_str().unwrap();
        assert!(message.contains("5 of 6 data tests failed"), "{message}");
        assert!(!message.contains("u1"), "{message}");

        if mode == "write-audit-publish" {
            assert_eq!(project.rows("shop/t"), rows, "{what}");
            assert_eq!(project.snapshots("shop/t"), snapshots, "{what}");
        } else {
            assert_eq!(
                project.snapshots("shop/t").len(),
                snapshots.len() + 1,
                "{what}"
            );
        }
    }
}

#[test]
fn what_only_warns_is_told_and_fails_nothing() {
    let text = "-- materialize ducklake://shop/t
-- data_test unique u severity=warn
-- data_test freshness seen <= 1d severity=warn
-- data_test expression \"u <> 'planted'\" severity=warn
-- data_test row_count = 2
SELECT * FROM (VALUES ('planted', DATE '2000-01-01'), ('planted', NULL)) AS v(u, seen)";
    for mode in ["commit-then-test", "write-audit-publish"] {
        let project = Project::new(&[]);
        let report = run(&project, text, None, mode);
        assert_eq!(report["status"], "materialized", "{mode}: {report}");
        let summary = &report["summary"];
        assert_eq!(counts(&summary["dataTests"]), [1, 1, 2, 0], "{mode}");
        assert_eq!(summary["dataTests"][1]["severity"], "warn");
        assert_eq!(
            summary["dataTests"][1]["sample"],
            json!([{ "newest": "2000-01-01" }])
        );
        assert_eq!(
            summary["warnings"],
            json!([
                "the data test `unique u` has 1 violating",
                "the data test `freshness seen <= 1d` has 1 violating",
                "the data test `expression u <> 'planted'` has 2 violating"
            ])
        );
        let history = project.run(&["history", "shop/t", "--json"]).ok().json();
        let recorded = &history[0]["run"]["dataTests"];
        assert_eq!(counts(recorded), [1, 1, 2, 0], "{mode}: {history}");
        assert_eq!(recorded[0]["severity"], "warn");
        assert!(recorded[0].get("sample").is_none());

        let junit = project.root().join("tests.xml");
        project
            .run(&["test", "t", "--junit", junit.to_str().unwrap()])
            .ok()
            .says("1 data test(s) passed")
            .says("! unique u (1 violating, a warning)");
        let xml = std::fs::read_to_string(junit).unwrap();
        assert_eq!(xml.matches("<skipped ").count(), 3, "{xml}");
        assert!(xml.contains("failures=\"0\""), "{xml}");
        assert!(xml.contains("warning: 2 violating"), "{xml}");
    }
}

#[test]
fn a_first_run_that_fails_its_audit_leaves_no_table() {
    let project = project(REPLACE);
    let bad = run(&project, &script(REPLACE, BAD), None, "write-audit-publish");
    assert_eq!(bad["status"], "failed");
    assert_eq!(counts(&bad["error"]["dataTests"]), VIOLATIONS);
    project
        .run(&["preview", "shop/t"])
        .fails(1)
        .says("there is no");
}

/// A run that is going to fail its audit, and readers that look at the table as often as they can meanwhile.
#[test]
fn readers_never_see_rows_that_fail_their_audit() {
    let text = |rows: u32, nulls: u32| {
        format!(
            "-- materialize ducklake://shop/t\n-- data_test not_null n\n\
             SELECT CASE WHEN range >= {nulls} THEN 1 END AS n FROM range({rows})"
        )
    };
    let project = Project::new(&[("t", &text(3, 0))]);
    project.run(&["run", "t"]).ok();
    let (good, snapshots) = (project.rows("shop/t"), project.snapshots("shop/t"));
    project.write("pipelines/t.sql", &text(4_000_000, 2_000_000));
    let seen = std::thread::scope(|scope| {
        let run = scope
            .spawn(|| project.run(&["run", "t", "--publish", "write-audit-publish", "--json"]));
        let mut seen = 0;
        while !run.is_finished() {
            assert_eq!(project.rows("shop/t"), good);
            seen += 1;
        }
        let report = run.join().unwrap().fails(1).json();
        let tests = &report["runs"][0]["error"]["dataTests"];
        assert_eq!(tests[0]["violating"], 2_000_000);
        assert_eq!(tests[0]["sample"].as_array().unwrap().len(), 20);
        seen
    });
    assert!(seen >= 2, "{seen}");
    assert_eq!(project.rows("shop/t"), good);
    assert_eq!(project.snapshots("shop/t"), snapshots);
}

#[test]
fn tests_that_cannot_run_are_named_before_anything_is_written() {
    let project = project(REPLACE);
    project.write(
        "pipelines/tests/two.sql",
        "FROM _wm_target; FROM _wm_target",
    );
    project.write("pipelines/tests/alone.sql", "SELECT 1 AS bad");
    project.write("pipelines/tests/writes.sql", "DELETE FROM _wm_target.t");
    for (test, reason) in [
        ("unique nothing", "nothing"),
        (
            "relationships id -> ducklake://shop/gone.id",
            "there is no table `gone`",
        ),
        (
            "relationships id -> ducklake://crm/known.gone",
            "has no column `gone`",
        ),
        ("accepted_values id = 1,two", "`two` is no INTEGER"),
        ("expression \"idd > 0\"", "idd"),
        ("expression \"id > \"", "syntax error"),
        ("expression \"sum(id) > 0\"", "nested"),
        ("freshness id <= 1d", "no date and no timestamp"),
        ("tests/two", "holds 2 statements"),
        ("tests/alone", "does not read `_wm_target`"),
        ("tests/writes", "only reads"),
        ("tests/gone", "there is no such test script"),
    ] {
        let text = format!("-- materialize ducklake://shop/t\n-- data_test {test}\nSELECT 1 AS id");
        let report = run(&project, &text, None, "commit-then-test");
        assert_eq!(report["status"], "failed", "{test}");
        let message = report["error"]["message"].as_str().unwrap();
        let kind = test.split(' ').next().unwrap();
        assert!(
            message.contains(kind) && message.contains(reason),
            "{test}: {message}"
        );
        assert_eq!(report["error"]["range"]["startLine"], 2, "{test}");
    }
    project.run(&["preview", "shop/t"]).fails(1);
}

#[test]
fn check_tells_test_scripts_that_could_not_run() {
    let project = Project::new(&[
        (
            "t",
            "-- partitioned daily\n-- materialize ducklake://shop/t\n-- data_test tests/gone\n-- data_test tests/two\n\
             -- data_test tests/alone\n-- data_test tests/folder\n-- data_test tests/link\n-- data_test tests/pipe\n\
             -- data_test tests/slice\n-- data_test tests/inner\nSELECT {partition} AS d",
        ),
        (
            "plain",
            "-- materialize ducklake://shop/plain\n-- data_test tests/slice\nSELECT 1 AS d",
        ),
        ("tests/two", "FROM _wm_target; FROM _wm_target"),
        ("tests/alone", "SELECT 1 AS bad"),
        ("tests/folder/inner", "FROM _wm_target"),
        (
            "tests/slice",
            "FROM _wm_target WHERE d >= {partition_start}::VARCHAR AND d <> {partition}",
        ),
    ]);
    project.write("outside.sql", "FROM _wm_target");
    let tests = project.root().join("pipelines/tests");
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("../../outside.sql", tests.join("link.sql")).unwrap();
        symlink("folder/inner.sql", tests.join("inner.sql")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(tests.join("pipe"))
            .status();
        assert!(made.unwrap().success());
    }
    let done = project.run(&["check", "--json"]).fails(1);
    let found: Vec<(String, i64, String)> = done.json()["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|found| found["code"] == "LM313")
        .map(|found| {
            (
                found["path"].as_str().unwrap().to_owned(),
                found["range"]["startLine"].as_i64().unwrap(),
                found["message"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    let expected = [
        ("pipelines/plain.sql", 2, "run without partition"),
        ("pipelines/t.sql", 3, "there is no such test script"),
        ("pipelines/t.sql", 4, "holds 2 statements"),
        ("pipelines/t.sql", 5, "does not read `_wm_target`"),
        ("pipelines/t.sql", 6, "there is no such test script"),
        ("pipelines/t.sql", 7, "below `pipelines/`"),
        ("pipelines/t.sql", 8, "there is no such test script"),
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for ((path, line, message), (in_file, at, why)) in found.iter().zip(expected) {
        assert_eq!((path.as_str(), *line), (in_file, at), "{message}");
        assert!(message.contains(why), "{message}");
    }
}

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
        "<testsuite name=\"pipelines/b.sql\" tests=\"1\" disabled=\"1\"",
        "<skipped message=\"a script that this one needs failed\"/>",
        "type=\"LM313\">the data test `tests/gone` cannot run",
    ] {
        assert!(xml.contains(part), "{part}: {xml}");
    }
    assert!(xml.matches(" time=\"").count() >= 4, "{xml}");
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
fn an_error_in_a_test_script_is_told_at_its_place() {
    for mode in ["commit-then-test", "write-audit-publish"] {
        let project = project(REPLACE);
        project.write(
            "pipelines/tests/broken.sql",
            "-- a comment\nSELECT *\nFROM _wm_target WHERE amuont < 0",
        );
        let text =
            "-- materialize ducklake://shop/t\n-- data_test tests/broken\nSELECT 1 AS amount";
        let report = run(&project, text, None, mode);
        let message = report["error"]["message"].as_str().unwrap();
        assert!(message.contains("tests/broken.sql:3:"), "{mode}: {message}");
        assert!(message.contains("amuont"), "{mode}: {message}");
    }
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
fn samples_of_odd_types_change_no_verdict() {
    for (value, has_sample) in [
        ("'\\xFF\\x00'::BLOB", true),
        ("INTERVAL 3 MONTH", true),
        ("[{'a': [1, NULL], 'b': MAP {'k': 1.5}}]", true),
        // JSON has no such number: it becomes a text.
        ("'NaN'::DOUBLE", true),
        ("['-infinity'::DOUBLE, 1]", true),
        ("'Infinity'::FLOAT", true),
        ("'infinity'::TIMESTAMP", true),
        ("'{\"a\": [1, 2]}'::JSON", true),
        ("uuid()", true),
        ("{'a': 1}::VARIANT", true),
        // More than 50 KB: no sample rather than half of one.
        ("repeat('x', 60000)", false),
    ] {
        let project = Project::new(&[(
            "t",
            &format!(
                "-- materialize ducklake://shop/t\n-- data_test not_null n\nSELECT {value} AS v, NULL::INTEGER AS n"
            ),
        )]);
        let done = project.run(&["run", "t", "--json"]).fails(1);
        let report = &done.json()["runs"][0];
        let test = &report["error"]["dataTests"][0];
        assert_eq!(test["violating"], 1, "{value}: {report}");
        let sample = test.get("sample");
        assert_eq!(sample.is_some(), has_sample, "{value}: {report}");
    }
}

#[test]
fn a_table_may_refer_to_itself_from_its_first_run_on() {
    for mode in ["commit-then-test", "write-audit-publish"] {
        let text = |boss: &str| {
            format!(
                "-- materialize ducklake://shop/t\n-- data_test relationships boss -> ducklake://shop/t.id\n\
                 SELECT 1 AS id, NULL::INTEGER AS boss UNION ALL SELECT 2, {boss}"
            )
        };
        let project = Project::new(&[]);
        let report = run(&project, &text("1"), None, mode);
        assert_eq!(report["status"], "materialized", "{mode}: {report}");
        let report = run(&project, &text("7"), None, mode);
        assert_eq!(
            counts(&report["error"]["dataTests"]),
            [1],
            "{mode}: {report}"
        );
    }
}

#[test]
fn what_cannot_be_compared_is_named_before_anything_is_written() {
    for mode in ["commit-then-test", "write-audit-publish"] {
        let project = project(REPLACE);
        let text = "-- materialize ducklake://shop/t\n-- data_test relationships c -> ducklake://crm/known.k\nSELECT 'x' AS c";
        let report = run(&project, text, None, mode);
        let message = report["error"]["message"].as_str().unwrap();
        assert!(message.contains("cannot be compared"), "{mode}: {message}");
        project.run(&["preview", "shop/t"]).fails(1);
    }
}

#[test]
fn a_lake_that_a_test_refers_to_is_not_made() {
    let project = Project::new(&[]);
    let text = "-- materialize ducklake://shop/t\n-- data_test relationships c -> ducklake://misspelt/known.k\nSELECT 1 AS c";
    let report = run(&project, text, None, "commit-then-test");
    let message = report["error"]["message"].as_str().unwrap();
    assert!(message.contains("`misspelt` holds nothing"), "{message}");
    assert!(
        !project
            .root()
            .join(".lakemill/lakes/misspelt.sqlite")
            .exists()
    );
}

#[test]
fn engine_errors_of_tests_hold_no_values() {
    for mode in ["commit-then-test", "write-audit-publish"] {
        let project = project(REPLACE);
        project.write(
            "pipelines/tests/casts.sql",
            "SELECT * FROM _wm_target WHERE c::INT > 3",
        );
        let text =
            "-- materialize ducklake://shop/t\n-- data_test tests/casts\nSELECT 'planted' AS c";
        let report = run(&project, text, None, mode);
        let message = report["error"]["message"].as_str().unwrap();
        assert!(message.contains("TRY_CAST"), "{mode}: {message}");
        assert!(!report.to_string().contains("planted"), "{mode}: {report}");
    }
}

#[test]
fn a_sample_is_rows_whatever_their_columns_are_called() {
    for name in ["v", "r", "rs", "s", "_wm_t", "place", "violating"] {
        let project = Project::new(&[(
            "t",
            &format!(
                "-- materialize ducklake://shop/t\n-- data_test not_null n\nSELECT 5 AS {name}, NULL::INTEGER AS n"
            ),
        )]);
        let done = project.run(&["run", "t", "--json"]).fails(1);
        let test = &done.json()["runs"][0]["error"]["dataTests"][0];
        assert_eq!(test["sample"], json!([{ name: 5, "n": null }]), "{name}");
    }
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

#[test]
fn a_lake_on_a_duckdb_file_tells_who_has_it_and_what_a_test_needs() {
    let project = Project::new(&[
        (
            "known",
            "-- materialize ducklake://crm/known\nSELECT 1 AS k",
        ),
        (
            "t",
            "-- materialize ducklake://shop/t\n-- data_test relationships a -> ducklake://crm/known.k\n\
             ATTACH 'ducklake://crm' AS c;\nSELECT k AS a FROM c.known",
        ),
        (
            "gone",
            "-- materialize ducklake://shop/gone\n-- data_test relationships a -> ducklake://crm/known.k\n\
             ATTACH 'ducklake://crm' AS c;\nCREATE TEMP TABLE x AS SELECT k AS a FROM c.known;\nDETACH c;\nSELECT a FROM x",
        ),
        (
            "slow",
            "-- materialize ducklake://shop/slow\n\
             SELECT sum(hash(a.range, b.range)) AS n FROM range(1000000) AS a, range(1000000) AS b",
        ),
    ]);
    project.write(
        "lakemill.toml",
        "[lakes.shop]\ncatalog = 'duckdb:shop.ducklake'\n[lakes.crm]\ncatalog = 'duckdb:crm.ducklake'\n",
    );
    project.run(&["run", "known", "t"]).ok();
    project.run(&["test", "t"]).ok();
    let done = project.run(&["run", "gone", "--json"]).fails(1);
    let error = &done.json()["runs"][0]["error"];
    assert_eq!(error["code"], "LM313", "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("leave out the DETACH of `c`"), "{message}");

    let mut other = project.start(&["run", "slow"]);
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt;
        // Asking with a command would be to hold the file for a moment.
        let holder = format!(" {} ", other.id());
        let since = std::time::Instant::now();
        let file = std::fs::metadata(project.root().join("shop.ducklake")).unwrap();
        let file = format!(":{} ", file.ino());
        let is_open = || {
            let locks = std::fs::read_to_string("/proc/locks").unwrap();
            let mut lines = locks.lines();
            lines.any(|line| line.contains(&holder) && line.contains(&file))
        };
        while !is_open() {
            assert!(since.elapsed().as_secs() < 60);
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let told = format!("the process {} has the lake `shop` open", other.id());
        project.run(&["test", "t"]).fails(1).says(&told);
        project
            .run(&["run", "t"])
            .fails(1)
            .says("has the lake `shop` open");
        project
            .run(&["plan", "t"])
            .fails(1)
            .says("has the lake `shop` open");
    }
    other.kill().unwrap();
    other.wait().unwrap();
    project.run(&["run", "t"]).ok();
}

/// Removes the data files of a table.
fn lose_files(folder: &std::path::Path) -> usize {
    let mut lost = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            lost += lose_files(&path);
        } else if path.extension().is_some_and(|ending| ending == "parquet") {
            std::fs::remove_file(path).unwrap();
            lost += 1;
        }
    }
    lost
}

#[test]
fn no_test_is_blamed_for_files_that_are_gone() {
    let project = Project::new(&[(
        "t",
        "-- materialize ducklake://shop/t\n-- data_test tests/none\n-- data_test unique n\n\
         SELECT range AS n FROM range(10)",
    )]);
    project.write(
        "pipelines/tests/none.sql",
        "FROM _wm_target WHERE n % 7 = 8",
    );
    project.run(&["run", "t"]).ok();
    assert!(lose_files(project.root()) > 0);
    for tests in ["-- data_test tests/none", "-- data_test unique n"] {
        let text =
            format!("-- materialize ducklake://shop/t\n{tests}\nSELECT range AS n FROM range(10)");
        project.write("pipelines/t.sql", &text);
        let error = project.run(&["test", "t", "--json"]).fails(1).json();
        let message = error["tests"][0]["error"].as_str().unwrap();
        assert!(message.contains(".parquet"), "{message}");
        assert!(!message.contains("cannot run"), "{message}");
    }
}
