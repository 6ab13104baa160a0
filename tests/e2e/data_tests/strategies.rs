//! Every kind of data test with every strategy, in both publish modes.

use serde_json::json;

use super::{BAD, GOOD, REPLACE, VIOLATIONS, WAYS, Way, counts, project, run, script};
use crate::project::Project;

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
fn infinite_times_are_younger_or_older_than_any_age() {
    // The engine writes no infinite time of the other types into a file.
    let types = ["DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP_NS"];
    let tests = types.map(|name| format!("-- data_test freshness c_{name} <= 1d severity=warn\n"));
    let columns = types.map(|name| format!("seen::{name} AS c_{name}"));
    let project = Project::new(&[]);
    for (values, violating) in [
        ("('infinity'), ('2000-01-01')", 0),
        ("('infinity'), ('-infinity')", 0),
        ("('-infinity'), (NULL)", 1),
        ("('-infinity'), ('2000-01-01')", 1),
        ("('-infinity'), ('2250-01-01')", 0),
    ] {
        let text = format!(
            "-- materialize ducklake://shop/t\n{}SELECT {} FROM (VALUES {values}) AS v(seen)",
            tests.concat(),
            columns.join(", ")
        );
        let report = run(&project, &text, None, "commit-then-test");
        assert_eq!(report["status"], "materialized", "{values}: {report}");
        let found = counts(&report["summary"]["dataTests"]);
        assert_eq!(found, [violating; 4], "{values}");
    }
}
