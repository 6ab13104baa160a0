//! Eight threads of one process publish at once, through the library: whole tables, slices of their own, one slice. No run
//! fails, no row is lost or doubled, every run is a snapshot that names it. `--nocapture` shows how often a publish had to be
//! repeated; `LAKEMILL_CONCURRENT_RUNS=20` has each thread run so often.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Barrier;
use std::time::Instant;

use executor_native::config::{Project, ScriptFile};
use executor_native::engine::Engine;
use executor_native::engine::question::At;
use executor_native::lake::{LakeReader, PublishLocks};
use executor_native::run::{Cancel, Request, Runner, Summary, Work, resolve_slice};
use executor_native::state::{self, AssetKey, Owners, Status};
use serde_json::Value;

use crate::concurrency::{counts, runs};
use crate::postgres::Postgres;

const THREADS: usize = 8;
/// Of each thread, unless the environment says otherwise.
const RUNS: usize = 2;
const ROWS: usize = 50;

/// What the threads write, all to one table.
#[derive(Clone, Copy)]
struct Scenario {
    table: &'static str,
    /// The slice of a thread.
    slice_of: Option<fn(usize) -> String>,
    /// How many runs' rows stay.
    leaves: usize,
}

const SCENARIOS: [Scenario; 3] = [
    Scenario {
        table: "whole",
        slice_of: None,
        leaves: 1,
    },
    Scenario {
        table: "own",
        slice_of: Some(|thread| format!("tenant {thread}")),
        leaves: THREADS,
    },
    Scenario {
        table: "same",
        slice_of: Some(|_| "x".to_owned()),
        leaves: 1,
    },
];

impl Scenario {
    fn script(self) -> String {
        let (line, condition) = match self.slice_of {
            Some(_) => (
                "-- partitioned dynamic key=tenant\n",
                " WHERE {partition} <> ''",
            ),
            None => ("", ""),
        };
        format!(
            "-- materialize ducklake://shop/{}\n{line}SELECT range AS n, run FROM range({ROWS}), (SELECT uuid() AS run){condition}\n",
            self.table
        )
    }

    fn run(self, runner: &Runner<'_>, engine: &mut Option<Engine>, thread: usize) -> Summary {
        let file = ScriptFile {
            path: runner.project.root.join(self.table),
            name: self.table.to_owned(),
            text: self.script(),
        };
        let script = parser_core::parse(&file.text).script;
        let slice = self.slice_of.map(|slice_of| slice_of(thread));
        let request = Request {
            file: &file,
            script: &script,
            partition: resolve_slice(&script, slice.as_deref(), jiff::Timestamp::now()).unwrap(),
            trigger: "test",
            parent: None,
            work: Work::Run,
        };
        runner.run(&request, engine).unwrap()
    }
}

#[allow(clippy::print_stdout)] // the figures
fn contend(name: &str, config: &str) {
    let folder = tempfile::tempdir().unwrap();
    let config = format!("{config}[run]\nauthor = 'the test'\n[engine]\nthreads = 1\n");
    std::fs::write(folder.path().join("lakemill.toml"), config).unwrap();
    let project = Project::open(Some(folder.path())).unwrap();
    let home = project.ensure_home().unwrap();
    let state = state::open(&project.state().unwrap()).unwrap();
    let owner = Owners::new(&home).register().unwrap();
    let (locks, cancel) = (PublishLocks::new(&home), Cancel::default());
    let runner = Runner {
        project: &project,
        state: state.as_ref(),
        owner: &owner,
        locks: &locks,
        cancel: &cancel,
    };

    let (runs, together) = (runs(RUNS), Barrier::new(THREADS));
    let started = Instant::now();
    let summaries: Vec<Vec<Summary>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let (runner, together) = (&runner, &together);
                scope.spawn(move || {
                    let mut engine = None;
                    SCENARIOS.map(|scenario| {
                        together.wait();
                        (0..runs)
                            .map(|_| scenario.run(runner, &mut engine, thread))
                            .collect::<Vec<_>>()
                    })
                })
            })
            .collect();
        let mut by_scenario = vec![Vec::new(); SCENARIOS.len()];
        for thread in threads {
            for (all, summaries) in by_scenario.iter_mut().zip(thread.join().unwrap()) {
                all.extend(summaries);
            }
        }
        by_scenario
    });
    let elapsed = started.elapsed();

    let reader = LakeReader::open(&project, "shop").unwrap();
    let mut found: BTreeMap<String, BTreeSet<(i64, String)>> = BTreeMap::new();
    for snapshot in reader.snapshots().unwrap() {
        // The lake's first is its making.
        if let Some(run) = snapshot.run {
            assert_eq!(snapshot.author.as_deref(), Some("the test"));
            found
                .entry(run.asset)
                .or_default()
                .insert((snapshot.id, run.job));
        } else {
            assert_eq!(snapshot.id, 0);
        }
    }
    for (scenario, summaries) in SCENARIOS.iter().zip(summaries) {
        let asset = format!("shop/{}", scenario.table);
        let told: BTreeSet<(i64, String)> = summaries
            .iter()
            .map(|summary| {
                (
                    summary.snapshot_id.expect("a snapshot"),
                    summary.job.clone(),
                )
            })
            .collect();
        assert_eq!(told.len(), THREADS * runs, "{name}, {asset}");
        assert_eq!(found.get(&asset), Some(&told), "{name}, {asset}");
        let key = AssetKey {
            kind: "ducklake".to_owned(),
            path: asset.clone(),
        };
        let recorded = state.runs(&key, 100_000).unwrap();
        assert!(
            recorded
                .iter()
                .all(|run| run.status == Status::Materialized)
        );
        let recorded = recorded
            .into_iter()
            .map(|run| (run.snapshot.unwrap(), run.job));
        assert_eq!(recorded.collect::<BTreeSet<_>>(), told, "{name}, {asset}");

        let table = reader.table("main", scenario.table);
        let rows: Vec<Value> = reader.preview_json(&table, &At::Now, 1_000_000).unwrap();
        let by_run = counts(&rows, "run");
        assert_eq!(by_run.len(), scenario.leaves, "{name}, {asset}");
        assert!(
            by_run.values().all(|&rows| rows == ROWS),
            "{name}, {asset}: {by_run:?}"
        );
        let slices = counts(&rows, "_wm_partition");
        assert_eq!(slices.len(), scenario.leaves, "{name}, {asset}");

        let attempts: u32 = summaries
            .iter()
            .map(|summary| summary.publish_attempts)
            .sum();
        let runs = summaries.len();
        println!(
            "{name}, {}: {runs} runs, {} repeated",
            scenario.table,
            attempts as usize - runs
        );
    }
    println!("{name}: {:.1} s", elapsed.as_secs_f64());
}

#[test]
fn threads_share_a_lake() {
    contend("SQLite", "[lakes.shop]\ncatalog = 'sqlite:shop.sqlite'\n");
    let server = Postgres::start();
    let catalog = server.socket_pairs("postgres");
    contend(
        "PostgreSQL",
        &format!("[lakes.shop]\ncatalog = '{catalog}'\ndata_path = 'files'\n"),
    );
}
