//! Data tests that cannot be run, and what is told of them.

use super::{REPLACE, project, run};
use crate::project::Project;

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
        ("expression \"sum(id) > 0\"", "an aggregate function"),
        ("expression \"max(id)\"", "an aggregate function"),
        (
            "expression \"count(*) > row_number() OVER ()\"",
            "an aggregate function",
        ),
        ("expression \"sum(id) OVER () > 0\"", "a window function"),
        ("expression \"unnest([true])\"", "UNNEST"),
        ("expression \"sum(idd) > 0\"", "idd"),
        ("expression \"id\"", "it has type INTEGER"),
        ("expression \"'x'\"", "it has type VARCHAR"),
        ("expression \"[id]\"", "it has type INTEGER[]"),
        ("expression \"id > 0, id < 9\"", "it has type STRUCT"),
        ("expression \"nosuch(id)\"", "nosuch"),
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
