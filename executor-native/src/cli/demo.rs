//! `lakemill demo`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::check;
use super::failure::Failure;
use super::init::write_new;
use super::output::{Output, grouped, optional};
use super::run::{Ended, Report, execute};
use super::workspace::Workspace;
use crate::config::Scripts;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lakemill demo\n  lakemill demo /tmp/flights")]
pub(super) struct Arguments {
    /// Folder of the project
    #[arg(default_value = "lakemill-demo")]
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

macro_rules! embedded {
    ($($target:literal => $source:literal),* $(,)?) => {
        &[$(($target, include_bytes!(concat!("../../demo/", $source)).as_slice())),*]
    };
}

/// The project: path in it and contents. Part of the program, so that the demo needs no network.
const FILES: &[(&str, &[u8])] = embedded! {
    "data/SOURCE.md" => "nycflights13/SOURCE.md",
    "data/airlines.parquet" => "nycflights13/airlines.parquet",
    "data/airports.parquet" => "nycflights13/airports.parquet",
    "data/flights.parquet" => "nycflights13/flights.parquet",
    "data/weather.parquet" => "nycflights13/weather.parquet",
    "pipelines/airlines.sql" => "pipelines/airlines.sql",
    "pipelines/airports.sql" => "pipelines/airports.sql",
    "pipelines/delays.sql" => "pipelines/delays.sql",
    "pipelines/flights.sql" => "pipelines/flights.sql",
    "pipelines/flights_daily.sql" => "pipelines/flights_daily.sql",
    "pipelines/run_log.sql" => "pipelines/run_log.sql",
    "pipelines/weather.sql" => "pipelines/weather.sql",
};

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let started = Instant::now();
    let folder = directory.map_or_else(
        || arguments.folder.clone(),
        |directory| directory.join(&arguments.folder),
    );
    for (name, bytes) in FILES {
        write_new(&folder.join(name), bytes)?;
    }
    output.note(&format!(
        "The demo is in {}: flights that departed from New York City in 2013.\n",
        folder.display()
    ));
    let workspace = Workspace::open(Some(&folder), output)?;
    let Scripts { files, unreadable } = workspace.project.scripts();
    check::report_unreadable(&unreadable, output);
    let scripts = check::check_all(files);
    let reports = execute(
        &workspace,
        &scripts,
        &|checked| match checked.script.header.partition {
            // A month of partitions.
            Some(_) => (1..=31)
                .map(|day| Some(format!("2013-01-{day:02}")))
                .collect(),
            None => vec![None],
        },
        false,
        output,
    )?;
    if arguments.json {
        output.json(&serde_json::json!({ "runs": reports }))?;
    } else {
        table(&reports, output);
        next(&folder, &reports, started, output);
    }
    let well = |report: &Report| matches!(report.status, Ended::Materialized | Ended::Unchanged);
    let is_well = reports.iter().all(well) && unreadable.is_empty();
    Failure::of_reports(is_well, false)
}

#[derive(Default)]
struct Line {
    runs: usize,
    rows: i64,
    snapshot: Option<i64>,
    tests: usize,
    ms: u64,
    strategy: &'static str,
}

fn table(reports: &[Report], output: &Output) {
    let mut lines: BTreeMap<&str, Line> = BTreeMap::new();
    for report in reports {
        let Some(summary) = &report.summary else {
            continue;
        };
        let Some(asset) = summary.materialized.as_deref() else {
            continue;
        };
        let line = lines.entry(asset).or_default();
        line.runs += 1;
        line.rows += summary.rows.unwrap_or_default();
        line.snapshot = line.snapshot.max(summary.snapshot_id);
        line.tests += summary.data_tests.len();
        line.ms += report.elapsed_ms;
        line.strategy = summary.strategy;
    }
    output.note("");
    output.table(
        &[
            "asset",
            "strategy",
            "runs",
            "rows",
            "tests passed",
            "snapshot",
            "ms",
        ],
        lines.iter().map(|(asset, line)| {
            vec![
                (*asset).to_owned(),
                line.strategy.to_owned(),
                line.runs.to_string(),
                grouped(line.rows),
                line.tests.to_string(),
                optional(line.snapshot),
                line.ms.to_string(),
            ]
        }),
    );
}

fn next(folder: &Path, reports: &[Report], started: Instant, output: &Output) {
    let folder = folder.display();
    let version = reports
        .iter()
        .filter_map(|report| report.summary.as_ref()?.snapshot_id)
        .max()
        .unwrap_or_default();
    output.note(&format!(
        "\n{:.1} s. Look further:\n\
         \x20 lakemill -C {folder} preview demo/delays\n\
         \x20 lakemill -C {folder} history demo/flights_daily --limit 5\n\
         \x20 lakemill -C {folder} partitions demo/flights_daily\n\
         \x20 lakemill -C {folder} preview demo/run_log --version {version}\n\
         \x20 lakemill -C {folder} plan flights_daily --partition 2013-01-15\n\
         \x20 lakemill -C {folder} run flights_daily --partition 2013-02-01\n\
         \x20 lakemill -C {folder} status",
        started.elapsed().as_secs_f64()
    ));
}
