//! What runs leave in the lake.

use crate::project::Project;

const DAILY: &str = "-- materialize ducklake://shop/daily
-- partitioned daily start=2024-01-01
-- data_test unique id
-- data_test not_null id
SELECT range AS id, {partition} AS day FROM range(100)
";

#[test]
fn a_slice_run_twice_has_the_same_rows_and_two_snapshots() {
    let project = Project::new(&[("daily", DAILY)]);
    let first = project
        .run(&["run", "daily", "--partition", "2024-01-01", "--json"])
        .ok()
        .json();
    let summary = &first["runs"][0]["summary"];
    assert_eq!(summary["rows"], 100);
    assert_eq!(
        project.snapshots("shop/daily").len(),
        1,
        "the first run is exactly one snapshot"
    );
    let rows = project.rows("shop/daily");
    assert_eq!(rows.len(), 100);

    let second = project
        .run(&["run", "daily", "--partition", "2024-01-01", "--json"])
        .ok()
        .json();
    assert_eq!(second["runs"][0]["summary"]["rowsDeleted"], 100);
    assert_eq!(project.rows("shop/daily"), rows);
    let snapshots = project.snapshots("shop/daily");
    assert_eq!(snapshots.len(), 2);
    assert_eq!(
        snapshots[0].1,
        second["runs"][0]["summary"]["job"].as_str().unwrap()
    );
    assert_eq!(snapshots[1].1, summary["job"].as_str().unwrap());

    project
        .run(&["run", "daily", "--partition", "2024-01-02"])
        .ok();
    assert_eq!(project.rows("shop/daily").len(), 200);
    let partitions = project
        .run(&["partitions", "shop/daily", "--json"])
        .ok()
        .json();
    assert_eq!(partitions[0]["rows"], 100);
    assert_eq!(partitions[1]["partition"], "2024-01-02");
}

#[test]
fn a_doubled_key_fails_and_changes_nothing() {
    let project = Project::new(&[(
        "people",
        "-- materialize ducklake://shop/people key=id\nSELECT 1 AS id, 'a' AS name\n",
    )]);
    project.run(&["run"]).ok();
    let (rows, snapshots) = (
        project.rows("shop/people"),
        project.snapshots("shop/people"),
    );
    project.write(
        "pipelines/people.sql",
        "-- materialize ducklake://shop/people key=id\nSELECT unnest([7, 7, 8]) AS id, 'b' AS name\n",
    );
    project
        .run(&["run"])
        .fails(1)
        .says("id = 7")
        .says("shop/people")
        .says("QUALIFY");
    assert_eq!(project.rows("shop/people"), rows);
    assert_eq!(project.snapshots("shop/people"), snapshots);
    let status = project.run(&["status", "--json"]).ok().json();
    assert_eq!(status[0]["status"], "failed");
    assert_eq!(status[0]["rows"], 1);
}

#[test]
fn a_merge_replaces_rows_of_its_keys() {
    let project = Project::new(&[(
        "people",
        "-- materialize ducklake://shop/people key=id\nSELECT unnest([1, 2]) AS id, 'a' AS name\n",
    )]);
    project.run(&["run"]).ok();
    project.write(
        "pipelines/people.sql",
        "-- materialize ducklake://shop/people key=id\nSELECT unnest([2, 3]) AS id, 'b' AS name\n",
    );
    let done = project.run(&["run", "--json"]).ok().json();
    assert_eq!(done["runs"][0]["summary"]["rows"], 3);
    let names: Vec<_> = project
        .rows("shop/people")
        .iter()
        .map(|row| row["name"].clone())
        .collect();
    assert_eq!(names, ["a", "b", "b"]);
}

#[test]
fn an_append_only_adds() {
    let project = Project::new(&[(
        "log",
        "-- materialize ducklake://shop/log append\nSELECT 1 AS n\n",
    )]);
    for runs in 1..=3 {
        project.run(&["run"]).ok();
        assert_eq!(project.rows("shop/log").len(), runs);
    }
}

#[test]
fn an_empty_select_on_a_first_run_makes_an_empty_table() {
    let project = Project::new(&[(
        "none",
        "-- materialize ducklake://shop/none\nSELECT 1 AS id WHERE false\n",
    )]);
    let done = project.run(&["run", "--json"]).ok().json();
    assert_eq!(done["runs"][0]["summary"]["rows"], 0);
    assert_eq!(project.rows("shop/none").len(), 0);
    assert_eq!(project.snapshots("shop/none").len(), 1);
    project.run(&["run"]).ok();
}

#[test]
fn a_violated_test_fails_the_run_and_the_snapshot_stays() {
    let project = Project::new(&[(
        "t",
        "-- materialize ducklake://shop/t\n-- data_test unique id\n-- data_test not_null id\nSELECT unnest([1, 1, 2]) AS id\n",
    )]);
    let done = project.run(&["run", "--json"]).fails(1);
    let error = &done.json()["runs"][0]["error"];
    assert_eq!(error["dataTests"][0]["violating"], 1);
    assert_eq!(error["dataTests"][0]["sample"][0]["value"], 1);
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("✗ unique id (1 violating)") && message.contains("✓ not_null id"),
        "{message}"
    );
    assert_eq!(project.rows("shop/t").len(), 3);
    project.run(&["status"]).ok().says("failed");
}

#[test]
fn write_audit_publish_rolls_back() {
    let project = Project::new(&[(
        "t",
        "-- materialize ducklake://shop/t\n-- data_test unique id\nSELECT 1 AS id\n",
    )]);
    project.write("lakemill.toml", "[run]\npublish = 'write-audit-publish'\n");
    project.run(&["run"]).ok();
    let snapshots = project.snapshots("shop/t");
    project.write(
        "pipelines/t.sql",
        "-- materialize ducklake://shop/t\n-- data_test unique id\nSELECT unnest([5, 5]) AS id\n",
    );
    project.run(&["run"]).fails(1).says("nothing was published");
    assert_eq!(project.snapshots("shop/t"), snapshots);
    assert_eq!(project.rows("shop/t")[0]["id"], 1);
}

#[test]
fn scripts_run_in_the_order_of_what_they_read() {
    let project = Project::new(&[
        (
            "a_last",
            "-- materialize ducklake://shop/last\nATTACH 'ducklake://shop' AS s;\nFROM s.middle\n",
        ),
        (
            "b_middle",
            "-- materialize ducklake://shop/middle\nATTACH 'ducklake://shop' AS s;\nFROM s.first\n",
        ),
        (
            "c_first",
            "-- materialize ducklake://shop/first\nSELECT 42 AS n\n",
        ),
    ]);
    let done = project.run(&["run", "--json"]).ok().json();
    let order: Vec<_> = done["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["script"].clone())
        .collect();
    assert_eq!(
        order,
        [
            "pipelines/c_first.sql",
            "pipelines/b_middle.sql",
            "pipelines/a_last.sql"
        ]
    );
    assert_eq!(project.rows("shop/last")[0]["n"], 42);
}

#[test]
fn two_processes_that_write_at_once_both_succeed() {
    let project = Project::new(&[
        ("daily", DAILY),
        (
            "log",
            "-- materialize ducklake://shop/log append\nSELECT 1 AS n\n",
        ),
    ]);
    // Nothing exists yet: the first creation of state, lake and table is part of the race.
    let children: Vec<_> = ["2024-01-01", "2024-01-02", "2024-01-01"]
        .iter()
        .map(|day| project.start(&["run", "daily", "--partition", day]))
        .chain((0..3).map(|_| project.start(&["run", "log"])))
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(project.rows("shop/daily").len(), 200);
    assert_eq!(project.rows("shop/log").len(), 3);
    assert_eq!(project.snapshots("shop/daily").len(), 3);
}

#[test]
fn writers_of_different_tables_of_one_lake_do_not_fail_each_other() {
    let scripts: Vec<(String, String)> = (0..4)
        .map(|n| {
            let text = format!(
                "-- materialize ducklake://shop/t{n}\nSELECT range AS n FROM range(300000)\n"
            );
            (format!("t{n}"), text)
        })
        .collect();
    let scripts: Vec<(&str, &str)> = scripts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let project = Project::new(&scripts);
    let children: Vec<_> = (0..8)
        .map(|n| project.start(&["run", &format!("t{}", n % 4)]))
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    for n in 0..4 {
        assert_eq!(project.rows_of(&format!("shop/t{n}")), 300_000);
        assert_eq!(project.snapshots(&format!("shop/t{n}")).len(), 2);
    }
}

/// Scripts of one command share an engine; what one attached never stands for what another means by the same name.
#[test]
fn lakes_of_one_script_are_not_those_of_the_next() {
    let source = |lake: &str, text: &str| {
        format!("-- materialize ducklake://{lake}/source\nSELECT '{text}' AS text\n")
    };
    let copy = |name: &str, attach: &str| {
        format!(
            "-- materialize ducklake://shop/{name}\n{attach}\nSELECT text, '{name}' AS name FROM x.source\n"
        )
    };
    let attach = |lake: &str, how: &str| format!("ATTACH {how}'ducklake://{lake}' AS x;");
    let scripts = [
        ("a_raw", source("raw", "raw")),
        ("a_other", source("other", "other")),
        ("b1", copy("b1", &attach("raw", ""))),
        ("b2", copy("b2", &attach("raw", ""))),
        ("b3", copy("b3", &attach("other", ""))),
        (
            "b4",
            copy(
                "b4",
                // In place of another lake it fails in this engine: it then lacks the catalog.
                &attach("other", "OR REPLACE "),
            ),
        ),
        ("b5", copy("b5", &attach("raw", ""))),
        (
            "b6",
            copy(
                "b6",
                &[attach("raw", ""), attach("other", "IF NOT EXISTS ")].concat(),
            ),
        ),
        ("b7", copy("b7", &attach("other", ""))),
        (
            "b8",
            copy(
                "b8",
                &[
                    attach("raw", ""),
                    "DETACH x;".to_owned(),
                    attach("other", ""),
                ]
                .concat(),
            ),
        ),
        ("b9", copy("b9", &attach("raw", ""))),
    ];
    let scripts: Vec<(&str, &str)> = scripts
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    let project = Project::new(&scripts);
    // Twice: the second time every catalog is there from the start.
    project.run(&["run"]).ok();
    project.run(&["run"]).ok();
    let read = |name: &str| project.rows(&format!("shop/{name}"))[0]["text"].clone();
    let read: Vec<_> = (1..=9).map(|number| read(&format!("b{number}"))).collect();
    let [raw, other] = ["raw", "other"];
    let meant = [raw, raw, other, other, raw, raw, other, other, raw];
    assert_eq!(read, meant);
}

#[test]
fn a_slice_that_a_run_emptied_has_no_rows() {
    let text = |rows: &str| {
        format!(
            "-- materialize ducklake://shop/days\n-- partitioned daily\nSELECT {{partition}} AS day FROM range({rows})\n"
        )
    };
    let project = Project::new(&[("days", &text("2"))]);
    let run = || {
        project
            .run(&["run", "days", "--partition", "2024-01-01"])
            .ok()
    };
    run();
    project.write("pipelines/days.sql", &text("0"));
    run();
    let partitions = project
        .run(&["partitions", "shop/days", "--json"])
        .ok()
        .json();
    assert_eq!(partitions[0]["rows"], 0, "{partitions}");
}
