//! What commands print and how they end when they are used wrongly, or cannot be carried out.

use serde_json::Value;

use crate::project::{Done, Project};

const SCRIPT: &str = "-- materialize ducklake://shop/t\n-- data_test unique n\nSELECT 1 AS n";

/// Every command that reports, with arguments that fit [`SCRIPT`].
const REPORTING: [&[&str]; 12] = [
    &["check"],
    &["plan", "t"],
    &["run"],
    &["test"],
    &["status"],
    &["history", "shop/t"],
    &["preview", "shop/t"],
    &["rebuild", "shop/t"],
    &["partitions", "shop/t"],
    &["lineage", "shop/t"],
    &["explain", "LM001"],
    &["doctor"],
];

/// The one object on stdout, which says what stderr says.
#[track_caller]
fn error(done: &Done) -> Value {
    let error = done.json()["error"].clone();
    let message = error["message"].as_str().unwrap_or_default();
    assert!(!message.is_empty(), "{}", done.stdout);
    let first = message.lines().next().unwrap();
    assert!(done.stderr.contains(first), "{message}\n{}", done.stderr);
    error
}

#[test]
fn wrong_usage_is_json_where_json_is_asked_for() {
    let project = Project::new(&[("t", SCRIPT)]);
    for command in REPORTING {
        let mut arguments = command.to_vec();
        arguments.extend(["--json", "--wrong"]);
        let told = error(&project.run(&arguments).fails(2));
        let message = told["message"].as_str().unwrap();
        assert_eq!(message, "unexpected argument '--wrong' found");
        // Nothing of it without, and none after the end of options.
        arguments.retain(|argument| *argument != "--json");
        assert_eq!(project.run(&arguments).fails(2).stdout, "");
    }
    error(&project.run(&["preview", "--json"]).fails(2));
    assert_eq!(project.run(&["status", "--", "--json"]).fails(2).stdout, "");
    for arguments in [
        &["run", "nothing", "--json"][..],
        &["check", "nothing", "--json"],
        &["plan", "t", "--partition", "2024-01-01", "--json"],
        &["test", "nothing", "--json"],
        &["preview", "shop", "--json"],
        &["explain", "nothing", "--json"],
        &["lineage", "shop/nothing", "--json"],
        &["run", "--junit", "-", "--json"],
        // It prints JSON without being asked.
        &["parse", "nothing"],
    ] {
        error(&project.run(arguments).fails(2));
    }
    for arguments in [
        &["preview", "shop/t", "--json"][..],
        &["rebuild", "shop/t", "--json"],
    ] {
        error(&project.run(arguments).fails(1));
    }
}

#[test]
fn what_is_wrong_in_scripts_is_json_where_json_is_asked_for() {
    let project = Project::new(&[("t", "-- materialize ducklake://shop/t\nSELECT nope")]);
    let told = error(&project.run(&["plan", "t", "--json"]).fails(1));
    assert_eq!(told["range"]["startLine"], 2, "{told}");
    project.write(
        "pipelines/t.sql",
        "-- materialize ducklake://shop\nSELECT 1 AS n",
    );
    for command in [&["run", "t", "--json"][..], &["plan", "t", "--json"]] {
        let told = project.run(command).fails(1).json()["error"].clone();
        let found = &told["diagnostics"][0];
        assert_eq!(found["path"], "pipelines/t.sql", "{told}");
        assert_eq!(found["range"]["startLine"], 1, "{told}");
    }
}

#[test]
fn a_state_store_that_does_not_open_is_json_where_json_is_asked_for() {
    let project = Project::new(&[("t", SCRIPT)]);
    project.run(&["run"]).ok();
    project.write("lakemill.toml", "[state]\nurl = 'sqlite:broken.sqlite'\n");
    project.write("broken.sqlite", &"this is no database. ".repeat(100));
    for command in ["status", "run"] {
        let told = error(&project.run(&[command, "--json"]).fails(1));
        let message = told["message"].as_str().unwrap();
        assert!(message.contains("broken.sqlite"), "{message}");
    }
}

#[test]
fn a_wrong_configuration_is_wrong_usage_everywhere() {
    let project = Project::new(&[
        ("t", SCRIPT),
        ("u", "-- materialize ducklake://crm/u\nSELECT 1 AS n"),
    ]);
    project.run(&["run"]).ok();
    let lake = |catalog: &str| {
        format!(
            "[lakes.shop]\ncatalog = '{catalog}'\ndata_path = 'x'\n[lakes.crm]\ncatalog = 'sqlite:crm.sqlite'\n"
        )
    };
    for (toml, says) in [
        (
            lake("postgres://u:hunter2@h/d"),
            "`lakes.shop.catalog` holds a password",
        ),
        (
            lake("env:"),
            "`lakes.shop.catalog` names no environment variable",
        ),
        ("[run]\npubish = 1\n".to_owned(), "pubish"),
    ] {
        project.write("lakemill.toml", &toml);
        for command in REPORTING {
            if command[0] == "explain" {
                continue;
            }
            let mut arguments = command.to_vec();
            arguments.push("--json");
            let done = project.run(&arguments).fails(2);
            let told = error(&done).to_string();
            assert!(told.contains(says), "{command:?}: {told}");
            assert!(!done.stderr.contains("hunter2"), "{command:?}");
        }
    }
    // What only some scripts need fails them alone; the command ends alike.
    for (catalog, says) in [
        (
            "env:LAKEMILL_UNSET",
            "`LAKEMILL_UNSET`, which `lakes.shop.catalog` refers to",
        ),
        ("mysql:x", "write `sqlite:FILE`"),
    ] {
        project.write("lakemill.toml", &lake(catalog));
        for command in [
            &["run", "--json"][..],
            &["test", "--json"],
            &["plan", "t", "--json"],
            &["preview", "shop/t", "--json"],
            &["history", "shop/t", "--json"],
            &["partitions", "shop/t", "--json"],
            &["rebuild", "shop/t", "--json"],
        ] {
            let done = project.run(command).fails(2);
            assert!(
                done.json().to_string().contains(says),
                "{command:?}: {}",
                done.stdout
            );
        }
        let runs = project.run(&["run", "--json"]).fails(2).json()["runs"].clone();
        let ended = |script: &str| {
            let mut runs = runs.as_array().unwrap().iter();
            let run = runs.find(|run| run["script"] == script).unwrap();
            run["status"].as_str().unwrap().to_owned()
        };
        assert_eq!(ended("pipelines/t.sql"), "failed");
        assert_eq!(ended("pipelines/u.sql"), "materialized");
    }
}
