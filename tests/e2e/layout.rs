//! Tables whose script cuts its slices otherwise than it did.

use crate::project::Project;

/// Forty days from the first of January, a row each.
fn script(partitioned: &str, select: &str) -> String {
    format!(
        "-- materialize ducklake://shop/t\n{partitioned}\nSELECT s.id, s.ts, s.tenant{select} FROM (SELECT range AS id, \
         TIMESTAMP '2024-01-01' + INTERVAL (range) DAY AS ts, 'it''s ' || range % 2 AS tenant FROM range(40)) AS s "
    )
}

fn sliced(line: &str) -> String {
    script(&format!("-- partitioned {line}"), ", {partition} AS slice")
        + "WHERE wm_partition(s.ts) = {partition}\n"
}

const DYNAMIC: &str = "WHERE s.tenant = {partition}\n";

/// Each row once, and in which slice.
#[track_caller]
fn each_once(project: &Project, rows: usize) -> Vec<String> {
    let rows_now = project.rows("shop/t");
    let mut ids: Vec<i64> = rows_now
        .iter()
        .map(|row| row["id"].as_i64().unwrap())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), rows_now.len()), (rows, rows));
    let mut slices: Vec<String> = rows_now
        .iter()
        .map(|row| row["_wm_partition"].as_str().unwrap().to_owned())
        .collect();
    slices.sort();
    slices.dedup();
    slices
}

#[test]
fn another_grain_is_refused_until_the_rows_are_cut_anew() {
    let project = Project::new(&[("t", &sliced("daily"))]);
    let run = |slice: &str| project.run(&["run", "t", "--partition", slice]);
    for day in ["2024-01-30", "2024-01-31", "2024-02-01"] {
        run(day).ok();
    }
    let (before, snapshots) = (project.rows("shop/t"), project.snapshots("shop/t").len());

    project.write("pipelines/t.sql", &sliced("monthly"));
    project
        .run(&["plan", "t", "--partition", "2024-01"])
        .fails(1)
        .says("LM319");
    project.run(&["explain", "LM319"]).ok().says("rebuild");
    let refused = project.run(&["run", "t", "--partition", "2024-01", "--json"]);
    let error = refused.fails(1).json()["runs"][0]["error"].clone();
    assert_eq!(
        (&error["code"], &error["range"]["startLine"]),
        (&"LM319".into(), &2.into())
    );
    let message = error["message"].as_str().unwrap();
    assert!(
        message.starts_with(
            "`shop/t` has 3 slice(s) that the script does not cut, for example `2024-01-30`: they are cut by `%Y-%m-%d`, not by `%Y-%m`"
        ) && message.contains("`lakemill rebuild shop/t`"),
        "{message}"
    );
    assert_eq!(
        (project.rows("shop/t"), project.snapshots("shop/t").len()),
        (before, snapshots)
    );

    project.run(&["rebuild", "shop/t"]).ok();
    assert_eq!(each_once(&project, 3), ["2024-01", "2024-02"]);
    let known: Vec<_> = ["status", "partitions"]
        .map(|command| {
            let asset = (command == "partitions").then_some("shop/t");
            let arguments: Vec<&str> = [command, "--json"].into_iter().chain(asset).collect();
            let lines = project.run(&arguments).ok().json();
            let line = |line: &serde_json::Value| {
                format!("{} {} {}", line["partition"], line["status"], line["rows"])
            };
            lines
                .as_array()
                .unwrap()
                .iter()
                .map(line)
                .collect::<Vec<_>>()
        })
        .into();
    let months = [
        r#""2024-01" "materialized" 2"#,
        r#""2024-02" "materialized" 1"#,
    ];
    assert_eq!(known, [months, months]);
    run("2024-01").ok();
    assert_eq!(each_once(&project, 32), ["2024-01", "2024-02"]);
    run("2024-02").ok();
    assert_eq!(each_once(&project, 40), ["2024-01", "2024-02"]);

    // Names that both formats know, of other days.
    project.write("pipelines/t.sql", &sliced("daily format=%Y-%d-%m"));
    run("2024-01-02").fails(1).says("by `%Y-%m`");
    project.run(&["rebuild", "shop/t"]).ok();
    assert_eq!(each_once(&project, 40).len(), 40);
    project.write("pipelines/t.sql", &sliced("daily"));
    run("2024-01-02").fails(1).says("by `%Y-%d-%m`");
    // What is written out is the same.
    project.write(
        "pipelines/t.sql",
        &sliced("daily format=%Y-%d-%m tz=Europe/Paris"),
    );
    run("2024-01-02").ok();
    each_once(&project, 40);
}

#[test]
fn slices_of_the_caller_and_of_time_do_not_mix() {
    let dynamic = |key: &str| script(&format!("-- partitioned dynamic key={key}"), "") + DYNAMIC;
    let project = Project::new(&[("t", &dynamic("tenant"))]);
    let run = |slice: &str| project.run(&["run", "t", "--partition", slice]);
    run("it's 0").ok();
    project.write("pipelines/t.sql", &dynamic("$.tenant"));
    run("it's 1").ok();
    project.write("pipelines/t.sql", &dynamic("other"));
    run("it's 1").fails(1).says("by `key=tenant`");
    project.write("pipelines/t.sql", &sliced("weekly"));
    run("2024-W01").fails(1).says("for example `it's 0`");
    project.run(&["rebuild", "shop/t"]).ok();
    assert_eq!(each_once(&project, 40).len(), 6);
    run("2024-W01").ok();
    each_once(&project, 40);
    project.write("pipelines/t.sql", &dynamic("tenant"));
    run("it's 1").fails(1).says("by `%G-W%V`");
    project
        .run(&["rebuild", "shop/t"])
        .fails(1)
        .says("--by COLUMN");
    project.run(&["rebuild", "shop/t", "--by", "tenant"]).ok();
    assert_eq!(each_once(&project, 40), ["it's 0", "it's 1"]);
    run("it's 1").ok();
    each_once(&project, 40);
}

#[test]
fn values_that_somebody_else_wrote_are_no_slices() {
    let project = Project::new(&[("t", &sliced("daily"))]);
    let run = |slice: &str| project.run(&["run", "t", "--partition", slice]);
    let other = |sql: &str| {
        let text = format!("ATTACH 'ducklake://shop' AS s;\n{sql}\n");
        project.write("other.sql", &text);
        project.run(&["run", "other.sql"]).ok();
    };
    run("2024-01-02").ok();
    other(
        "INSERT INTO s.t SELECT id + 100, ts + INTERVAL 1 DAY, tenant, 'x', 'yesterday' FROM s.t;",
    );
    run("2024-01-02")
        .fails(1)
        .says("1 slice(s) that the script does not cut, for example `yesterday`");
    other(
        "DELETE FROM s.t WHERE id > 100; INSERT INTO s.t SELECT 7, ts, tenant, 'x', NULL FROM s.t;",
    );
    run("2024-01-02").fails(1).says("for example `NULL`");
    project.run(&["rebuild", "shop/t"]).ok();
    assert_eq!(each_once(&project, 2), ["2024-01-02"]);
    run("2024-01-02").ok();
    each_once(&project, 1);

    // Rows in files without slices; a table that nobody noted anything on.
    other("ALTER TABLE s.t RESET PARTITIONED BY; COMMENT ON COLUMN s.t._wm_partition IS NULL;");
    other("INSERT INTO s.t SELECT 9, ts, tenant, 'x', '2024-01' FROM s.t;");
    run("2024-01-02").fails(1).says("for example `2024-01`");
    other("DELETE FROM s.t WHERE id = 9;");
    run("2024-01-02").ok();
    // None is left: nothing stands in the way of another grain.
    other("DELETE FROM s.t;");
    project.write("pipelines/t.sql", &sliced("monthly"));
    run("2024-01").ok();
    assert_eq!(each_once(&project, 31), ["2024-01"]);
    project.write("pipelines/t.sql", &sliced("daily"));
    run("2024-01-02").fails(1).says("by `%Y-%m`");
}

#[test]
fn a_whole_replace_of_a_partitioned_table_is_told() {
    let project = Project::new(&[("t", &sliced("daily"))]);
    project.run(&["run", "t", "--partition", "2024-01-02"]).ok();
    project.write("pipelines/t.sql", &script("--", ""));
    let told = "`shop/t` was partitioned: the whole table is replaced";
    project.run(&["plan", "t"]).ok().says("warning").says(told);
    let plan = project.run(&["plan", "t", "--json"]).ok().json();
    assert!(plan["warnings"][0].as_str().unwrap().starts_with(told));
    let runs = project.run(&["run", "t", "--json"]).ok().json();
    let warnings = runs["runs"][0]["summary"]["warnings"].clone();
    assert!(warnings[0].as_str().unwrap().starts_with(told));
    assert_eq!(project.rows("shop/t").len(), 40);
    let again = project.run(&["run", "t"]).ok();
    assert!(
        !again.stderr.contains("was partitioned"),
        "{}",
        again.stderr
    );
}
