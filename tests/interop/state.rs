//! The command with its state store on a PostgreSQL server.

use crate::keeps;
use crate::postgres::{PASSWORD, Postgres};
use crate::project::{Done, Project};

const CONFIG: &str = "[state]\nurl = 'env:STATE'\n";

fn project(url: String) -> Project {
    let mut project = Project::new(&[
        (
            "days",
            "-- materialize ducklake://shop/Days\n-- partitioned daily\n-- data_test not_null n\n\
             SELECT range AS n FROM range(3) WHERE {partition} <> ''\n",
        ),
        (
            "bad",
            "-- materialize ducklake://shop/bad\n-- data_test unique n\nSELECT 1 AS n FROM range(2)\n",
        ),
    ]);
    project.write("lakemill.toml", CONFIG);
    project.set("STATE", url);
    project.set("LAKEMILL_LOG", "trace".to_owned());
    project
}

/// The password is in nothing that a command says.
#[track_caller]
fn run(project: &Project, arguments: &[&str]) -> Done {
    let done = project.run(arguments);
    [PASSWORD, "correct%20horse", "correct horse", "battery"]
        .into_iter()
        .fold(done, keeps)
}

#[test]
fn every_command_works_on_a_server() {
    let server = Postgres::start();
    let project = project(server.url(PASSWORD));
    run(&project, &["doctor"])
        .ok()
        .says("state postgres://lake@127.0.0.1:");
    for day in ["2024-02-28", "2024-02-29"] {
        run(&project, &["run", "days", "--partition", day]).ok();
    }
    run(&project, &["run", "bad"]).fails(1);
    run(&project, &["test", "shop/days"]).ok();
    let status = run(&project, &["status", "--json"]).ok().json();
    let told: Vec<_> = status
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            (
                line["path"].as_str().unwrap(),
                line["status"].as_str().unwrap(),
            )
        })
        .collect();
    let days = ("shop/Days", "materialized");
    assert_eq!(told, [("shop/bad", "failed"), days, days]);
    let slices = run(&project, &["partitions", "shop/DAYS", "--json"])
        .ok()
        .json();
    assert_eq!(slices.as_array().unwrap().len(), 2, "{slices}");
    let history = run(&project, &["history", "shop/days", "--json"])
        .ok()
        .json();
    for entry in history.as_array().unwrap() {
        assert_eq!(entry["run"]["snapshot"], entry["snapshot"]["id"], "{entry}");
    }
    assert!(!project.root().join(".lakemill/state.sqlite").exists());
    assert_eq!(
        server.ask("SELECT count(*) FROM lakemill.materialization"),
        "3"
    );
}

#[test]
fn what_is_wrong_with_the_store_is_told() {
    let server = Postgres::start();
    let fails = |url: String, code: i32| run(&project(url), &["status"]).fails(code);

    fails(server.url("battery of another colour"), 1).says("password authentication failed");
    let no_database = server.url(PASSWORD).replace("/postgres", "/nope");
    fails(no_database.replace("postgresql:", "postgres:"), 1).says("\"nope\" does not exist");
    fails(server.url(PASSWORD).replace("127.0.0.1:", "127.0.0.1:x"), 1)
        .says("its address does not read");
    fails(format!("mysql://u:{PASSWORD}@h/d"), 2).says("postgres://user@host/database");

    // The user may neither make the schema nor, once it is there, write it.
    server.ask("CREATE ROLE guest LOGIN PASSWORD 'battery'");
    let guest = server.url("battery").replace("lake:", "guest:");
    fails(guest.clone(), 1).says("CREATE SCHEMA lakemill AUTHORIZATION");
    server.ask("CREATE SCHEMA lakemill AUTHORIZATION guest");
    run(&project(guest), &["status"]).ok();

    server.ask("INSERT INTO lakemill._sqlx_migrations VALUES (99999999, '', now(), true, '', 0)");
    fails(server.url(PASSWORD), 1).says("written by a newer lakemill");

    server.stop();
    fails(server.url(PASSWORD), 1)
        .says("cannot be reached")
        .says("Start its server")
        .says("postgres://lake@127.0.0.1");
    let unset = Project::new(&[]);
    unset.write("lakemill.toml", CONFIG);
    unset.run(&["status"]).fails(2).says("`STATE`");
}
