//! Scripts that cannot run: told with place and mend, and nothing is written.

use crate::project::Project;

#[track_caller]
fn refused(script: &str, place: &str, words: &[&str]) {
    let project = Project::new(&[("bad", script)]);
    for command in [["check", "bad"], ["run", "bad"]] {
        let mut done = project.run(&command).fails(1).says(place);
        for word in words {
            done = done.says(word);
        }
    }
    assert!(
        !project.root().join(".lakemill/lakes").exists(),
        "a lake was made"
    );
}

#[test]
fn two_selects() {
    refused(
        "-- materialize ducklake://shop/t\nSELECT 1 AS a;\nSELECT 2 AS a\n",
        "bad.sql:3:1",
        &["help"],
    );
}

#[test]
fn an_insert() {
    refused(
        "-- materialize ducklake://shop/t\nINSERT INTO x VALUES (1);\nSELECT 1 AS a\n",
        "bad.sql:2:1",
        &["materialize manual"],
    );
}

#[test]
fn nothing_at_all() {
    refused(
        "-- materialize ducklake://shop/t\n",
        "bad.sql:1:",
        &["help"],
    );
}

#[test]
fn a_partition_token_without_partitions() {
    refused(
        "-- materialize ducklake://shop/t\nSELECT {partition} AS a\n",
        "bad.sql:2:8",
        &["partitioned"],
    );
}

#[test]
fn an_error_of_the_engine_stands_at_the_scripts_line() {
    let project = Project::new(&[(
        "t",
        "-- materialize ducklake://shop/t\nSELECT\n  1 AS a,\n  nope + 1 AS b\nFROM range(3)\n",
    )]);
    project
        .run(&["run"])
        .fails(1)
        .says("t.sql:4:3")
        .says("nope");
    assert_eq!(
        project.run(&["status", "--json"]).ok().json()[0]["status"],
        "failed"
    );
}

#[test]
fn check_as_json_has_ranges() {
    let project = Project::new(&[(
        "bad",
        "-- materialize ducklake://shop/t\nSELECT 1 AS a;\nSELECT 2 AS a\n",
    )]);
    let found = project.run(&["check", "--json"]).fails(1).json();
    assert_eq!(found["errors"], 1);
    assert_eq!(found["diagnostics"][0]["range"]["startLine"], 3);
    assert_eq!(found["diagnostics"][0]["path"], "pipelines/bad.sql");
}

#[test]
fn an_undeclared_lake_is_a_configuration_error() {
    let project = Project::new(&[("t", "-- materialize ducklake://shpo/t\nSELECT 1 AS a\n")]);
    project.write(
        "lakemill.toml",
        "[lakes.shop]\ncatalog = 'sqlite:shop.sqlite'\n",
    );
    project.run(&["run"]).says("shpo").says("[lakes.shpo]");
}

#[test]
fn usage_errors_exit_with_2() {
    let project = Project::new(&[]);
    project.run(&["run"]).fails(2);
    project.run(&["no-such-command"]).fails(2);
    project.run(&["explain", "LM999"]).fails(2);
    project.run(&["explain", "nonsense"]).fails(2);
    project.run(&["explain", "309"]).ok().says("LM309");
    project.run(&["explain", "1"]).ok().says("LM001");
    project
        .run(&["explain", "data_test"])
        .ok()
        .says("_wm_target");
    for (what, of) in [
        ("history", "option `history` of `materialize`"),
        ("severity", "option `severity` of `data_test`"),
        ("debounce", "annotation `debounce`"),
        ("debounce", "option `debounce` of `on`"),
        ("row_count", "`row_count` of `data_test`"),
        ("scd2", "`scd2` of `materialize`"),
    ] {
        project.run(&["explain", what]).ok().says(of);
    }
}

#[test]
fn what_is_wrong_between_scripts_stands_in_each() {
    let write = |asset: &str, read: &str| {
        format!(
            "-- materialize ducklake://shop/{asset}\n-- on ducklake://shop/{read}\nSELECT 1 AS a\n"
        )
    };
    let (a, b, copy) = (write("a", "b"), write("b", "a"), write("A", "c"));
    let project = Project::new(&[("a", &a), ("b", &b), ("copy", &copy)]);
    for command in ["check", "run"] {
        project
            .run(&[command])
            .fails(1)
            .says("LM118")
            .says("LM122")
            .says("a.sql:1:16")
            .says("b.sql:1:16")
            .says("copy.sql:1:16");
    }
    let found = project.run(&["check", "--json"]).fails(1).json();
    assert_eq!(
        found["errors"],
        found["diagnostics"].as_array().map_or(0, Vec::len)
    );
}

#[test]
fn a_bad_line_of_a_batch_does_not_stop_the_rest() {
    let project = Project::new(&[]);
    let lines = "{\"id\": 1, \"text\": \"FROM t\"}\n\n{\"id\": 2}\nnonsense\n{\"id\": \"x\", \"text\": \"FROM u\"}\n";
    project.write("lines.jsonl", lines);
    let input = std::fs::File::open(project.root().join("lines.jsonl")).unwrap();
    let output = project
        .command(&["parse", "--batch"])
        .stdin(input)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let answers: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ids: Vec<_> = answers.iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(
        ids,
        [
            1.into(),
            serde_json::Value::Null,
            serde_json::Value::Null,
            "x".into()
        ]
    );
    let has_error: Vec<_> = answers
        .iter()
        .map(|answer| answer["error"].is_string())
        .collect();
    assert_eq!(has_error, [false, true, true, false]);
}
