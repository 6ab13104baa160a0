//! Files among the scripts that cannot be read: they are told, and the others go on.
#![cfg(unix)]

use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::project::{Done, Project};

const GOOD: &str = "-- materialize ducklake://shop/good\n-- data_test unique n\nSELECT 1 AS n";

/// What cannot be read, and why.
const UNREADABLE: [(&str, &str); 3] = [
    ("pipelines/latin.sql", "it is not UTF-8"),
    ("pipelines/link.sql", "it links to what is not there"),
    ("pipelines/loop", "it links to a folder that it is in"),
];

/// [`UNREADABLE`], and one script that can be read.
fn project() -> Project {
    let project = Project::new(&[("good", GOOD)]);
    let pipelines = project.root().join("pipelines");
    std::fs::write(pipelines.join("latin.sql"), b"SELECT 'caf\xe9' AS n").unwrap();
    symlink("nowhere.sql", pipelines.join("link.sql")).unwrap();
    symlink(".", pipelines.join("loop")).unwrap();
    project
}

/// That each of them is told.
#[track_caller]
fn tells_all(done: &Done) {
    for (name, why) in UNREADABLE {
        let told = format!("{name} cannot be read: {why}");
        assert!(done.stderr.contains(&told), "{told}\n{}", done.stderr);
    }
}

/// What a list in a command's JSON says of each.
#[track_caller]
fn lists_all(list: &Value, name: &str, error: impl Fn(&Value) -> &Value) {
    let list = list.as_array().unwrap();
    for (path, why) in UNREADABLE {
        let entry = list.iter().find(|entry| entry[name] == path).unwrap();
        let message = error(entry).as_str().unwrap();
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn the_others_go_on() {
    let project = project();
    tells_all(
        &project
            .run(&["check"])
            .fails(1)
            .says("1 script(s), 3 error(s)"),
    );
    let found = project.run(&["check", "--json"]).fails(1).json();
    assert_eq!(found["errors"], 3);
    lists_all(&found["diagnostics"], "path", |entry| &entry["message"]);

    tells_all(&project.run(&["run"]).fails(1));
    let report = project.run(&["run", "--json"]).fails(1).json();
    lists_all(&report["runs"], "script", |run| &run["error"]["message"]);
    assert_eq!(report["runs"][0]["script"], "pipelines/good.sql");
    assert_eq!(report["runs"][0]["status"], "materialized");
    let junit = project.run(&["run", "--junit", "-"]).fails(1);
    assert!(junit.stdout.contains("errors=\"3\""), "{}", junit.stdout);

    tells_all(
        &project
            .run(&["test"])
            .fails(1)
            .says("1 data test(s) passed"),
    );
    let found = project.run(&["test", "--json"]).fails(1).json();
    lists_all(&found["tests"], "script", |test| &test["error"]);

    tells_all(
        &project
            .run(&["lineage", "shop/good"])
            .fails(1)
            .says("shop/good.n"),
    );
    project
        .run(&["lineage", "shop/good", "--json"])
        .fails(1)
        .json();
    let doctor = project.run(&["doctor", "--json"]).fails(1).json();
    lists_all(&doctor, "what", |finding| &finding["detail"]);

    // What names one script needs no other.
    project.run(&["run", "good"]).ok();
    project.run(&["test", "shop/good"]).ok();
    project.run(&["plan", "good"]).ok();
    project
        .run(&["test", "shop/other"])
        .fails(2)
        .says("pipelines/latin.sql cannot be read");
    for command in ["run", "check", "plan", "test", "parse"] {
        project
            .run(&[command, "latin"])
            .fails(2)
            .says("it is not UTF-8");
    }
}
