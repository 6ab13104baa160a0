//! A process that is asked to stop leaves a record that equals the lake.

use std::time::{Duration, Instant};

use crate::postgres::{PASSWORD, Postgres};
use crate::project::Project;

/// A project with the state store in a file, or on a server.
fn project(server: Option<&Postgres>, script: &str) -> Project {
    let mut project = Project::new(&[("t", script)]);
    if let Some(server) = server {
        project.write("lakemill.toml", "[state]\nurl = 'env:STATE'\n");
        project.set("STATE", server.url(PASSWORD));
    }
    project
}

#[cfg(unix)]
#[test]
fn ctrl_c_rolls_back_and_is_recorded() {
    ctrl_c(None);
    ctrl_c(Some(&Postgres::start()));
}

#[cfg(unix)]
fn ctrl_c(server: Option<&Postgres>) {
    let project = project(
        server,
        "-- materialize ducklake://shop/t\nSELECT sum(hash(a.range, b.range)) AS n FROM range(1000000) AS a, range(1000000) AS b\n",
    );
    let mut child = project.start(&["run"]);
    // Until the run is recorded and its SELECT is under way.
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(300));
        let status = project.run(&["status", "--json"]).ok().json();
        if status[0]["status"] == "running"
            && project.root().join(".lakemill/lakes/shop.sqlite").exists()
        {
            break;
        }
    }
    std::thread::sleep(Duration::from_secs(1));
    let asked = Instant::now();
    let signalled = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(signalled.success());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(
        asked.elapsed() < Duration::from_secs(10),
        "{:?}",
        asked.elapsed()
    );
    let status = project.run(&["status", "--json"]).ok().json();
    assert_eq!(status[0]["status"], "cancelled");
    assert!(project.snapshots("shop/t").is_empty());
}

#[test]
fn killed_between_commit_and_data_tests() {
    const SLOW: &str = "FROM _wm_target WHERE n < (SELECT min(hash(a.range, b.range)) FROM range(1000000) AS a, range(1000000) AS b) - 1e30";
    let project = Project::new(&[
        (
            "t",
            "-- materialize ducklake://shop/t\n-- data_test not_null n\n-- data_test tests/slow\nSELECT range AS n FROM range(3)\n",
        ),
        ("tests/slow", SLOW),
    ]);
    let mut child = project.start(&["run", "t"]);
    let started = Instant::now();
    let has_committed = || {
        let history = project.run(&["history", "shop/t", "--json"]);
        history.code == Some(0) && history.json()[0].get("snapshot").is_some()
    };
    while !has_committed() {
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();

    let entry = project.run(&["history", "shop/t", "--json"]).ok().json()[0].clone();
    let run = &entry["run"];
    assert_eq!(run["status"], "failed", "{entry}");
    assert_eq!(run["snapshot"], entry["snapshot"]["id"], "{entry}");
    assert!(run["dataTests"].is_null(), "{entry}");
    let status = project.run(&["status", "--json"]).ok().json()[0].clone();
    assert_eq!(status["status"], "failed", "{status}");
    let error = status["error"].as_str().unwrap();
    assert!(error.contains("the data tests have no outcome"), "{error}");
    assert_eq!(project.rows_of("shop/t"), 3);

    project.write("pipelines/tests/slow.sql", "FROM _wm_target WHERE n < 0");
    project.run(&["test", "shop/t"]).ok();
    project.run(&["run", "t"]).ok();
    let status = project.run(&["status", "--json"]).ok().json()[0].clone();
    assert_eq!(status["status"], "materialized", "{status}");
}
