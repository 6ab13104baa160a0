//! Scripts that may not use every file, and settings that scripts change.

use crate::project::Project;

const CONFINED: &str = "[engine]\nallow_local_files = false\nallowed_directories = ['raw']\n";

#[test]
fn a_confined_script_uses_its_lakes_and_folders() {
    for catalog in ["sqlite", "duckdb"] {
        let project = Project::new(&[
            (
                "a",
                "-- materialize ducklake://shop/a\n\
                 FROM 'raw/x.csv' UNION ALL FROM 's3:///seven.csv'",
            ),
            (
                "b",
                "-- materialize ducklake://shop/b key=id\n-- data_test tests/positive\n-- data_test unique id\n\
                 CREATE TEMP TABLE t AS SELECT 1 AS one;\nATTACH 'ducklake://shop' AS s;\nATTACH ':memory:' AS m;\n\
                 SELECT id FROM s.a, t",
            ),
            (
                "copies",
                "-- materialize manual ducklake://shop/c\nCOPY (SELECT 7 AS id) TO 's3:///seven.csv'",
            ),
            ("tests/positive", "FROM _wm_target WHERE id < 0"),
        ]);
        project.write(
            "lakemill.toml",
            &format!("{CONFINED}[lakes.shop]\ncatalog = '{catalog}:shop.db'\n"),
        );
        project.write("raw/x.csv", "id\n1\n2\n");
        project
            .run(&["run", "--publish", "write-audit-publish"])
            .ok();
        project.run(&["run"]).ok();
        assert_eq!(project.rows("shop/b").len(), 3);
        project.run(&["test", "b"]).ok();
        project.run(&["plan", "b"]).ok();
    }
}

#[test]
fn a_confined_script_reaches_nothing_else() {
    let bodies = [
        "FROM 'secret.csv'",
        "FROM 'raw/../secret.csv'",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('.lakemill/spill/*')",
        "COPY (SELECT 1) TO 'out.csv'",
        "ATTACH 'other.db' AS o; SELECT 1 AS a",
        "ATTACH 'ducklake:sqlite:other.sqlite' AS o (DATA_PATH 'x'); SELECT 1 AS a",
        "SELECT * FROM sqlite_scan('.lakemill/state.sqlite', 'job')",
        "SELECT * FROM query('FROM ''secret.csv''')",
        "INSTALL spatial; SELECT 1 AS a",
        "LOAD spatial; SELECT 1 AS a",
        "SET threads = 1; SELECT 1 AS a",
        "SET enable_external_access = true; SELECT 1 AS a",
        "RESET lock_configuration; SELECT 1 AS a",
        "PRAGMA default_collation = 'nocase'; SELECT 1 AS a",
        "SELECT 1 AS a -- tested",
        "SELECT 1 AS a -- also tested",
    ];
    let tests = [
        "",
        "",
        "\n-- data_test tests/reads",
        "\n-- data_test tests/opens",
    ];
    let scripts: Vec<(String, String)> = bodies
        .iter()
        .enumerate()
        .map(|(at, body)| {
            let test = tests[(at + 4).saturating_sub(bodies.len())];
            let mode = if body.starts_with("COPY") {
                "manual "
            } else {
                ""
            };
            (
                format!("t{at}"),
                format!("-- materialize {mode}ducklake://shop/t{at}{test}\n{body}\n"),
            )
        })
        .collect();
    let mut files: Vec<(&str, &str)> = scripts
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    files.push((
        "tests/reads",
        "SELECT a FROM _wm_target, read_text('secret.csv')",
    ));
    files.push((
        "tests/opens",
        "SELECT a FROM _wm_target, sqlite_scan('.lakemill/state.sqlite', 'job')",
    ));
    let project = Project::new(&files);
    project.write("lakemill.toml", CONFINED);
    project.write("raw/x.csv", "id\n1\n");
    project.write("secret.csv", "word\nhidden\n");
    let done = project.run(&["run", "--json"]).fails(1);
    let report = done.json();
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), bodies.len());
    for run in runs {
        assert_eq!(run["status"], "failed", "{run}");
    }
    assert!(!done.stdout.contains("hidden") && !done.stderr.contains("hidden"));
    assert!(!project.root().join("out.csv").exists());
    let told = done
        .stderr
        .matches("`[engine] allow_local_files` of lakemill.toml is false")
        .count();
    assert_eq!(told, bodies.len(), "{}", done.stderr);
}

#[test]
fn settings_of_a_script_stay_with_its_select() {
    let script = "-- materialize ducklake://shop/t key=name\n-- data_test unique name\n-- data_test tests/exact\n\
        SET default_collation = 'nocase';\nSET GLOBAL integer_division = true;\nPRAGMA max_expression_depth = 9;\n\
        SELECT name, 7 / 2 AS half, 'a' = 'A' AS same FROM (VALUES ('a'), ('A')) AS t(name)\n";
    let project = Project::new(&[
        ("t", script),
        (
            "tests/exact",
            "FROM _wm_target WHERE half <> 3 OR NOT same OR 'a' = 'A' OR 7 / 2 = 3",
        ),
    ]);
    project.run(&["plan", "t"]).ok();
    project.run(&["run", "t"]).ok();
    project
        .run(&["run", "t", "--publish", "write-audit-publish"])
        .ok();
    project.run(&["test", "t"]).ok();
    assert_eq!(project.rows("shop/t").len(), 2);
}
