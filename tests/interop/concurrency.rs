//! Eight processes publish into one table at once: no run fails, no row is lost or doubled, every run that changed something
//! is a snapshot of its own. `--nocapture` shows how often a publish had to be repeated; `LAKEMILL_CONCURRENT_RUNS=20` has
//! each process run so often, which takes minutes.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Instant;

use serde_json::Value;

use crate::postgres::{PASSWORD, Postgres};
use crate::project::Project;

const PROCESSES: usize = 8;
/// Of each process, unless the environment says otherwise.
const RUNS: usize = 2;
const ROWS: usize = 50;

/// Where the lake of a scenario is.
enum Lake {
    /// One project with the embedded default, whose processes share its lock files.
    Sqlite,
    /// A server's catalog. Each process has a project of its own, as on a machine of its own: no lock file is shared.
    Postgres(Postgres),
}

impl Lake {
    /// The project of each process.
    fn projects(&self, script: &str, data: &std::path::Path) -> Vec<Project> {
        let count = match self {
            Self::Sqlite => 1,
            Self::Postgres(_) => PROCESSES,
        };
        let projects = (0..count).map(|_| {
            let project = Project::new(&[("t", script)]);
            if let Self::Postgres(_) = self {
                project.write(
                    "lakemill.toml",
                    &format!(
                        "[lakes.shop]\ncatalog = 'env:CATALOG'\ndata_path = '{}'\n",
                        data.display()
                    ),
                );
            }
            project
        });
        projects.collect()
    }

    fn command(&self, project: &Project, arguments: &[&str]) -> std::process::Command {
        let mut command = project.command(arguments);
        if let Self::Postgres(server) = self {
            command.env("CATALOG", format!("postgres:{}", server.url(PASSWORD)));
        }
        command
    }

    fn json(&self, project: &Project, arguments: &[&str]) -> Value {
        let output = self.command(project, arguments).output().unwrap();
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// Runs everything; gives the table's rows.
#[allow(clippy::print_stdout)] // the figures
fn contend(
    name: &str,
    lake: &Lake,
    script: &str,
    runs: usize,
    slice_of: impl Fn(usize) -> String,
) -> Vec<Value> {
    let data = tempfile::tempdir().unwrap();
    let projects = lake.projects(script, data.path());
    let started = Instant::now();
    let children: Vec<_> = (0..PROCESSES)
        .map(|process| {
            let slice = format!("--partition={}", slice_of(process));
            let mut arguments = vec!["run", "t", "--json"];
            arguments.extend(std::iter::repeat_n(slice.as_str(), runs));
            lake.command(&projects[process % projects.len()], &arguments)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut summaries = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {told}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let reports = report["runs"].as_array().unwrap().clone();
        summaries.extend(reports.into_iter().map(|run| run["summary"].clone()));
    }
    let elapsed = started.elapsed();
    let runs = PROCESSES * runs;

    assert_eq!(summaries.len(), runs, "{name}");
    let told: BTreeSet<(i64, String)> = summaries
        .iter()
        .map(|summary| {
            let job = summary["job"].as_str().unwrap().to_owned();
            (summary["snapshotId"].as_i64().expect("a snapshot"), job)
        })
        .collect();
    // The lake's own list: each run's snapshot names its job and its author, and there are no others.
    let mut found = BTreeSet::new();
    let history = lake.json(
        &projects[0],
        &["history", "shop/t", "--limit", "10000", "--json"],
    );
    for entry in history.as_array().unwrap() {
        let snapshot = &entry["snapshot"];
        assert!(
            !snapshot["author"].as_str().unwrap_or_default().is_empty(),
            "{entry}"
        );
        let job = snapshot["run"]["job"].as_str().unwrap().to_owned();
        found.insert((snapshot["id"].as_i64().unwrap(), job));
    }
    assert_eq!(found, told, "{name}");
    assert_eq!(found.len(), runs, "{name}");

    let attempts: u64 = summaries
        .iter()
        .map(|summary| summary["publishAttempts"].as_u64().unwrap())
        .sum();
    println!(
        "{name}: {runs} runs, {} repeated, {:.1} s",
        attempts - runs as u64,
        elapsed.as_secs_f64()
    );
    let preview = ["preview", "shop/t", "--limit", "1000000", "--json"];
    let preview = lake.json(&projects[0], &preview);
    preview["rows"].as_array().unwrap().clone()
}

/// Rows by a column's text, counted.
pub(crate) fn counts(rows: &[Value], column: &str) -> std::collections::BTreeMap<String, usize> {
    let mut counts = std::collections::BTreeMap::new();
    for row in rows {
        *counts.entry(row[column].to_string()).or_default() += 1;
    }
    counts
}

/// How often each writer runs.
pub(crate) fn runs(unless_told: usize) -> usize {
    let wanted = std::env::var("LAKEMILL_CONCURRENT_RUNS");
    wanted.map_or(unless_told, |text| text.parse().unwrap())
}

fn scenarios(name: &str, lake: impl Fn() -> Lake) {
    let runs = runs(RUNS);
    let one = "(SELECT uuid() AS run)";
    let replace = format!(
        "-- materialize ducklake://shop/t\n-- partitioned dynamic key=tenant\nSELECT range AS n, run FROM range({ROWS}), {one} WHERE {{partition}} <> ''\n"
    );
    let append = replace.replacen("shop/t", "shop/t append", 1);

    let own = contend(
        &format!("{name}, own slices"),
        &lake(),
        &replace,
        runs,
        |process| format!("tenant {process}"),
    );
    let by_slice = counts(&own, "_wm_partition");
    assert_eq!(by_slice.len(), PROCESSES);
    assert!(by_slice.values().all(|&rows| rows == ROWS), "{by_slice:?}");
    // Each slice is what one run left, not a mixture.
    assert_eq!(counts(&own, "run").len(), PROCESSES);

    let shared = contend(
        &format!("{name}, one slice"),
        &lake(),
        &replace,
        runs,
        |_| "x".to_owned(),
    );
    assert_eq!(
        counts(&shared, "run").into_values().collect::<Vec<_>>(),
        [ROWS]
    );

    let added = contend(
        &format!("{name}, one slice, append"),
        &lake(),
        &append,
        runs,
        |_| "x".to_owned(),
    );
    let by_run = counts(&added, "run");
    assert_eq!(by_run.len(), PROCESSES * runs);
    assert!(by_run.values().all(|&rows| rows == ROWS), "{by_run:?}");
}

#[test]
fn processes_share_an_embedded_lake() {
    scenarios("SQLite", || Lake::Sqlite);
}

#[test]
fn machines_share_a_lake_on_a_server() {
    scenarios("PostgreSQL", || Lake::Postgres(Postgres::start()));
}
