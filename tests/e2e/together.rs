//! Slices that are published as one snapshot.

use serde_json::Value;

use crate::project::Project;

const DAYS: [&str; 6] = [
    "--partition",
    "2024-01-01",
    "--partition",
    "2024-01-02",
    "--partition",
    "2024-01-03",
];

fn script(options: &str, select: &str) -> String {
    format!("-- materialize ducklake://shop/days {options}\n-- partitioned daily\n{select}\n")
}

fn atomic(project: &Project, more: &[&str]) -> Vec<Value> {
    let arguments = [&["run", "days", "--atomic", "--json"], more, &DAYS].concat();
    let printed = project.run(&arguments).json();
    printed["runs"].as_array().unwrap().clone()
}

/// `(status, snapshot, rows, inserted, deleted)` of each.
fn told(runs: &[Value]) -> Vec<(String, Value, Value, Value, Value)> {
    let of = |run: &Value| {
        let summary = &run["summary"];
        (
            run["status"].as_str().unwrap().to_owned(),
            summary["snapshotId"].clone(),
            summary["rows"].clone(),
            summary["rowsInserted"].clone(),
            summary["rowsDeleted"].clone(),
        )
    };
    runs.iter().map(of).collect()
}

fn well(
    snapshot: i64,
    rows: i64,
    inserted: i64,
    deleted: i64,
) -> (String, Value, Value, Value, Value) {
    (
        "materialized".to_owned(),
        snapshot.into(),
        rows.into(),
        inserted.into(),
        deleted.into(),
    )
}

#[test]
fn slices_are_one_snapshot_and_each_has_its_record() {
    let select = "CREATE TEMP TABLE mine AS SELECT {partition} AS day;
        SELECT range AS id, day FROM range(day({partition}::DATE)) CROSS JOIN mine";
    let project = Project::new(&[("days", &script("", select))]);
    let first = atomic(&project, &[]);
    let snapshots = project.snapshots("shop/days");
    assert_eq!(snapshots.len(), 1, "{snapshots:?}");
    let made = snapshots[0].0;
    assert_eq!(
        told(&first),
        [
            well(made, 1, 1, 0),
            well(made, 2, 2, 0),
            well(made, 3, 3, 0)
        ]
    );
    assert_eq!(project.rows("shop/days").len(), 6);

    // Two slices are there, one of them twice in the command, one is new.
    let again = project
        .run(&[
            "run",
            "days",
            "--atomic",
            "--json",
            "--partition",
            "2024-01-02",
            "--partition",
            "2024-01-03",
            "--partition",
            "2024-01-02",
            "--partition",
            "2024-01-04",
        ])
        .ok()
        .json();
    let snapshots = project.snapshots("shop/days");
    assert_eq!(snapshots.len(), 2, "{snapshots:?}");
    let then = snapshots[0].0;
    assert_eq!(
        told(again["runs"].as_array().unwrap()),
        [
            well(then, 2, 2, 2),
            well(then, 3, 3, 3),
            well(then, 4, 4, 0)
        ]
    );
    let rows = project.rows("shop/days");
    assert_eq!(rows.len(), 10);
    assert!(rows.iter().all(|row| row["day"] == row["_wm_partition"]));

    let partitions = project
        .run(&["partitions", "shop/days", "--json"])
        .ok()
        .json();
    let partitions: Vec<_> = partitions
        .as_array()
        .unwrap()
        .iter()
        .map(|slice| {
            (
                slice["partition"].as_str().unwrap().to_owned(),
                slice["rows"].clone(),
            )
        })
        .collect();
    let expected = [1, 2, 3, 4].map(|day| (format!("2024-01-0{day}"), Value::from(day)));
    assert_eq!(partitions, expected);

    let history = project.run(&["history", "shop/days", "--json"]).ok().json();
    let mut recorded: Vec<_> = history
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["snapshot"]["id"].as_i64().unwrap(),
                entry["run"]["partition"].as_str().unwrap().to_owned(),
                entry["run"]["status"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    recorded.sort();
    let expected: Vec<_> = [
        (made, 1),
        (made, 2),
        (made, 3),
        (then, 2),
        (then, 3),
        (then, 4),
    ]
    .map(|(snapshot, day)| {
        (
            snapshot,
            format!("2024-01-0{day}"),
            "materialized".to_owned(),
        )
    })
    .into();
    assert_eq!(recorded, expected);
}

#[test]
fn merges_and_appends_too() {
    let select = "SELECT unnest([1, 2, NULL]) AS id, {partition} AS day";
    for (options, rows, then) in [("key=id", 3, [3, 2, 4]), ("append", 3, [3, 0, 6])] {
        let project = Project::new(&[("days", &script(options, select))]);
        let first = told(&atomic(&project, &[]));
        assert_eq!(
            first,
            [1, 1, 1].map(|made| well(made, rows, 3, 0)),
            "{options}"
        );
        let again = told(&atomic(&project, &[]));
        let [inserted, deleted, rows] = then;
        assert_eq!(
            again,
            [2, 2, 2].map(|made| well(made, rows, inserted, deleted)),
            "{options}"
        );
    }
}

#[test]
fn when_one_fails_none_is_published() {
    let fails =
        "SELECT CASE WHEN {partition} = '2024-01-02' THEN error('no such day') ELSE 'x' END AS id";
    let project = Project::new(&[("days", &script("", fails))]);
    let runs = atomic(&project, &[]);
    assert!(runs.iter().all(|run| run["status"] == "failed"), "{runs:?}");
    let messages: Vec<_> = runs
        .iter()
        .map(|run| run["error"]["message"].as_str().unwrap())
        .collect();
    assert!(messages[1].contains("no such day"), "{messages:?}");
    for other in [0, 2] {
        assert!(
            messages[other].contains("the slice `2024-01-02`, which failed"),
            "{messages:?}"
        );
    }
    project.run(&["preview", "shop/days"]).fails(1);
    let status = project.run(&["status", "--json"]).ok().json();
    assert!(status[0]["snapshot"].is_null(), "{status}");

    // What was there stays.
    project.write(
        "pipelines/days.sql",
        &script("", "SELECT {partition} AS id"),
    );
    atomic(&project, &[]);
    let (rows, snapshots) = (project.rows("shop/days"), project.snapshots("shop/days"));
    assert_eq!(rows.len(), 3);
    project.write("pipelines/days.sql", &script("", fails));
    atomic(&project, &[]);
    assert_eq!(project.rows("shop/days"), rows);
    assert_eq!(project.snapshots("shop/days"), snapshots);
}

#[test]
fn violations_roll_all_back_before_the_commit_and_fail_their_slice_after_it() {
    let select = "SELECT nullif({partition}, '2024-01-02') AS id";
    let text = script("", select).replace("SELECT", "-- data_test not_null id\nSELECT");
    let project = Project::new(&[("days", &text)]);
    let runs = atomic(&project, &["--publish", "write-audit-publish"]);
    let failed: Vec<_> = runs
        .iter()
        .map(|run| run["status"].as_str().unwrap())
        .collect();
    assert_eq!(failed, ["failed"; 3]);
    assert_eq!(runs[1]["error"]["dataTests"][0]["violating"], 1);
    project.run(&["preview", "shop/days"]).fails(1);

    let runs = atomic(&project, &[]);
    let failed: Vec<_> = runs
        .iter()
        .map(|run| run["status"].as_str().unwrap())
        .collect();
    assert_eq!(failed, ["materialized", "failed", "materialized"]);
    assert_eq!(project.snapshots("shop/days").len(), 1);
    assert_eq!(project.rows("shop/days").len(), 3);
}

#[test]
fn tests_of_ones_own_see_their_slice() {
    let tests =
        "-- data_test tests/mine\n-- data_test expression \"day = getvariable('wm_partition')\"\n";
    let select = |setup: &str| script("", &format!("{tests}{setup}SELECT {{partition}} AS day"));
    let project = Project::new(&[
        ("days", &select("")),
        (
            "tests/mine",
            "FROM _wm_target WHERE _wm_partition = {partition} AND day <> getvariable('wm_partition')\n",
        ),
    ]);
    for publish in ["commit-then-test", "write-audit-publish"] {
        let runs = atomic(&project, &["--publish", publish]);
        let ended: Vec<_> = runs.iter().map(|run| &run["status"]).collect();
        assert_eq!(ended, ["materialized"; 3], "{runs:?}");
        assert_eq!(runs[1]["summary"]["dataTests"][1]["violating"], 0);
    }
    project.write(
        "pipelines/days.sql",
        &select("CREATE TEMP TABLE t AS SELECT {partition} AS d; "),
    );
    let runs = atomic(&project, &[]);
    let message = runs[0]["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("its data tests may use what its setup makes"),
        "{message}"
    );
    assert_eq!(project.snapshots("shop/days").len(), 2);
}

#[test]
fn columns_follow_once_for_all() {
    let project = Project::new(&[("days", &script("", "SELECT 1 AS id"))]);
    atomic(&project, &[]);
    project.write(
        "pipelines/days.sql",
        &script(
            "on_schema_change=sync",
            "SELECT 5000000000 AS id, {partition} AS day",
        ),
    );
    let runs = atomic(&project, &[]);
    assert_eq!(told(&runs), [2, 2, 2].map(|made| well(made, 1, 1, 1)));
    let rows = project.rows("shop/days");
    assert!(
        rows.iter()
            .all(|row| row["id"] == 5_000_000_000_i64 && row["day"] == row["_wm_partition"]),
        "{rows:?}"
    );
}

/// Each slice would be planned by the columns that the table had before the others changed them.
#[test]
fn only_the_first_changes_the_columns() {
    let slices = |names: &[&str]| {
        let named = names.iter().map(|name| format!("--partition={name}"));
        named.collect::<Vec<_>>()
    };
    let text =
        "-- materialize ducklake://shop/t on_schema_change=sync\n-- partitioned dynamic key=tenant
        SELECT * FROM query(CASE {partition} WHEN 'p' THEN 'SELECT 10::INTEGER AS v'
        WHEN 'q' THEN 'SELECT 9007199254740993 AS v' WHEN 'r' THEN 'SELECT 1.5::DOUBLE AS v'
        ELSE 'SELECT 9007199254740993 AS v' END)\n";
    let project = Project::new(&[("t", text)]);
    let atomic = |names: &[&str]| {
        let mut arguments = vec!["run".to_owned(), "t".to_owned(), "--atomic".to_owned()];
        arguments.extend(slices(names));
        project.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    atomic(&["p", "q", "r"])
        .fails(1)
        .says("a slice changes the columns of the table");
    project.run(&["preview", "shop/t"]).fails(1);
    project.run(&["run", "t", "--partition", "p"]).ok();
    atomic(&["q", "s"]).ok();
    let mut values: Vec<_> = project
        .rows("shop/t")
        .iter()
        .map(|row| row["v"].as_i64().unwrap())
        .collect();
    values.sort_unstable();
    assert_eq!(values, [10, 9_007_199_254_740_993, 9_007_199_254_740_993]);
}

#[test]
fn what_cannot_be_together_is_told() {
    let project = Project::new(&[
        ("days", &script("", "SELECT {partition} AS id")),
        (
            "all",
            "-- materialize ducklake://shop/all\nSELECT 1 AS id\n",
        ),
    ]);
    project
        .run(&["run", "--atomic"])
        .fails(2)
        .says("--atomic publishes the partitions of one script");
    project
        .run(&["run", "all", "--atomic"])
        .fails(1)
        .says("has no slices that lakemill writes");
    project.write("lakemill.toml", "[engine]\nallow_local_files = false\n");
    project
        .run(&["run", "days", "--atomic", "--partition", "2024-01-01"])
        .fails(1)
        .says("confined");
}
