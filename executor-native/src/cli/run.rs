//! `lakemill run`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parser_core::graph::{Graph, Node};
use serde::Serialize;

use super::check::{self, Checked};
use super::diagnostics;
use super::failure::{ErrorReport, Failure};
use super::junit::{self, Halt, Suite};
use super::output::{Output, grouped, optional, with_slice};
use super::workspace::Workspace;
use crate::config::{Publish, Scripts, Timeout, Unreadable};
use crate::lake::PublishLocks;
use crate::run::{
    Cancel, Request, RunError, Runner, Summary, Work, leaves_engine_clean, resolve_slice,
};
use crate::state::{Heartbeat, Owners};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lakemill run                                   every script, in order\n  lakemill run pipelines/orders.sql\n  lakemill run flights_daily --partition 2013-01-01 --partition 2013-01-02\n  lakemill run flights_daily --partition 2013-01-01 --partition 2013-01-02 --atomic"
)]
pub(super) struct Arguments {
    /// Scripts or folders [default: pipelines/]
    scripts: Vec<PathBuf>,
    /// Partition of the partitioned scripts; may be repeated [default: the one that is open now]
    #[arg(long = "partition", value_name = "VALUE")]
    partitions: Vec<String>,
    /// Publish all partitions of the script as one snapshot: when one of them fails, none is published
    #[arg(long)]
    atomic: bool,
    /// When data tests run [default: `[run] publish` of lakemill.toml, else commit-then-test]
    #[arg(long, value_name = "MODE")]
    publish: Option<Publish>,
    /// How long a run of one script for one partition may take [default: `[run] timeout`, else without an end]
    #[arg(long, value_name = "DURATION")]
    timeout: Option<Timeout>,
    /// Write the outcomes of data tests as JUnit XML; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How one run of one script ended.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    pub(super) script: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) partition: Option<String>,
    pub(super) status: Ended,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<ErrorReport>,
    pub(super) elapsed_ms: u64,
}

impl Report {
    fn unreadable(file: &Unreadable) -> Self {
        Self {
            script: file.name.clone(),
            partition: None,
            status: Ended::Failed,
            summary: None,
            error: Some(ErrorReport::plain(&file.to_string())),
            elapsed_ms: 0,
        }
    }

    fn is_misconfigured(&self) -> bool {
        let error = self.error.as_ref();
        error.is_some_and(|error| error.is_misconfigured)
    }
}

#[derive(Clone, Copy, Debug, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Ended {
    Materialized,
    Unchanged,
    Failed,
    Cancelled,
    Skipped,
}

impl Ended {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Materialized => "materialized",
            Self::Unchanged => "unchanged",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Skipped => "skipped",
        }
    }

    const fn is_well(self) -> bool {
        match self {
            Self::Materialized | Self::Unchanged => true,
            Self::Failed | Self::Cancelled | Self::Skipped => false,
        }
    }
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    junit::refuse_both(arguments.junit.as_deref(), arguments.json)?;
    let mut workspace = Workspace::open(directory, output)?;
    if let Some(publish) = arguments.publish {
        workspace.project.config.run.publish = publish;
    }
    workspace.project.set_timeout(arguments.timeout.as_ref());
    let named = !arguments.scripts.is_empty();
    let Scripts { files, unreadable } = workspace.project.select(&arguments.scripts)?;
    let scripts: Vec<Checked> = check::check_all(files)
        .into_iter()
        .filter(|checked| named || takes_part(checked))
        .collect();
    if named && let Some(test) = scripts.iter().find(|checked| checked.script.is_data_test()) {
        return Err(Failure::Usage(format!(
            "`{}` is a data test: a run of the script that names it runs it, and `lakemill test`",
            test.file.name
        )));
    }
    if scripts.is_empty() && unreadable.is_empty() {
        return Err(Failure::Usage(format!(
            "there is nothing to run in {}: `lakemill init` makes a first script",
            workspace.project.root.join("pipelines").display()
        )));
    }
    if arguments.atomic && scripts.len() != 1 {
        return Err(Failure::Usage(format!(
            "--atomic publishes the partitions of one script, and these are {}: name one",
            scripts.len()
        )));
    }
    // A value that no script could mean is told before anything runs.
    for checked in &scripts {
        for value in partitions(checked, arguments, scripts.len())
            .iter()
            .flatten()
        {
            check::asked_slice(checked, Some(value))?;
        }
    }
    check::report_unreadable(&unreadable, output);
    let mut reports = execute(
        &workspace,
        &scripts,
        &|checked| partitions(checked, arguments, scripts.len()),
        arguments.atomic,
        output,
    )?;
    reports.extend(unreadable.iter().map(Report::unreadable));
    if let Some(file) = &arguments.junit {
        junit::write(file, reports.iter().map(suite))?;
    }
    if arguments.json {
        output.json(&serde_json::json!({ "runs": reports }))?;
    } else if reports.len() > 1 && !arguments.junit.as_deref().is_some_and(junit::is_stdout) {
        table(&reports, output);
    }
    Failure::of_reports(
        reports.iter().all(|report| report.status.is_well()),
        reports.iter().any(Report::is_misconfigured),
    )
}

fn suite(report: &Report) -> Suite<'_> {
    let error = report.error.as_ref();
    let tested = report.summary.as_ref().map(|summary| &summary.data_tests);
    let outcomes = tested.or(error.map(|error| &error.data_tests));
    Suite {
        name: with_slice(&report.script, report.partition.as_deref()),
        script: &report.script,
        outcomes: outcomes.map_or(&[], Vec::as_slice),
        halt: match error.filter(|error| error.data_tests.is_empty()) {
            Some(error) => Some(Halt::Failed {
                message: &error.message,
                code: error.code,
            }),
            None if report.status == Ended::Skipped => {
                Some(Halt::Skipped("a script that this one needs failed"))
            }
            None => None,
        },
        elapsed: Duration::from_millis(report.elapsed_ms),
    }
}

/// A script takes part in a whole run when it materialises, belongs to a pipeline or has a trigger.
fn takes_part(checked: &Checked) -> bool {
    let header = &checked.script.header;
    header.materialize.is_some() || header.pipeline.is_some() || !header.triggers.is_empty()
}

fn partitions(checked: &Checked, arguments: &Arguments, scripts: usize) -> Vec<Option<String>> {
    // In a run of many, partitions are for those that have them. One that is named alone is told that it has none.
    let wanted = checked.script.header.partition.is_some() || scripts == 1;
    if arguments.partitions.is_empty() || !wanted {
        return vec![None];
    }
    arguments.partitions.iter().cloned().map(Some).collect()
}

/// Runs scripts in the order of their graph; a failure stops only what needs it.
pub(super) fn execute(
    workspace: &Workspace,
    scripts: &[Checked],
    partitions: &dyn Fn(&Checked) -> Vec<Option<String>>,
    together: bool,
    output: &Output,
) -> Result<Vec<Report>, Failure> {
    check::require_sound(scripts, output)?;
    with_runner(workspace, |runner| match scripts {
        [only] if together => at_once(runner, only, &partitions(only), output),
        _ => in_order(runner, scripts, partitions, output),
    })
}

/// Lets this process run scripts, until Ctrl-C.
pub(super) fn with_runner<T>(
    workspace: &Workspace,
    work: impl FnOnce(&Runner<'_>) -> T,
) -> Result<T, Failure> {
    let home = workspace.project.ensure_home()?;
    workspace.project.tidy_spill_folder()?;
    let owner = Owners::new(&home).register()?;
    let _alive = Heartbeat::start(Arc::clone(&workspace.state), owner.id.clone());
    let locks = PublishLocks::new(&home);
    let cancel = Arc::new(Cancel::default());
    stop_on_ctrl_c(Arc::clone(&cancel));
    let runner = Runner {
        project: &workspace.project,
        state: workspace.state.as_ref(),
        owner: &owner,
        locks: &locks,
        cancel: &cancel,
    };
    Ok(work(&runner))
}

fn in_order(
    runner: &Runner<'_>,
    scripts: &[Checked],
    partitions: &dyn Fn(&Checked) -> Vec<Option<String>>,
    output: &Output,
) -> Vec<Report> {
    let cancel = runner.cancel;
    let nodes: Vec<Node<'_>> = scripts
        .iter()
        .map(|checked| Node {
            path: &checked.file.name,
            script: &checked.script,
        })
        .collect();
    let graph = Graph::new(&nodes);
    let mut failed = BTreeSet::new();
    let mut reports = Vec::new();
    // Opening an engine costs more than most runs: it serves on until a script leaves something behind.
    let mut engine = None;
    for &at in &graph.order {
        let checked = &scripts[at];
        let blocked = graph
            .upstream(at)
            .into_iter()
            .find(|needed| failed.contains(needed));
        if let Some(needed) = blocked {
            failed.insert(at);
            output.cross(&format!(
                "{}: skipped, {} failed",
                checked.file.name, scripts[needed].file.name
            ));
            reports.push(Report {
                script: checked.file.name.clone(),
                partition: None,
                status: Ended::Skipped,
                summary: None,
                error: None,
                elapsed_ms: 0,
            });
            continue;
        }
        let slices = partitions(checked);
        let bar = output.progress(slices.len(), &checked.file.name);
        let lines = bar.is_hidden();
        for value in slices {
            if cancel.is_asked() {
                break;
            }
            let report = one(runner, checked, value.as_deref(), &mut engine);
            bar.inc(1);
            bar.suspend(|| say(checked, &report, lines, output));
            let report = report.0;
            if !report.status.is_well() {
                failed.insert(at);
            }
            reports.push(report);
        }
        bar.finish_and_clear();
        if !leaves_engine_clean(&checked.script) {
            engine = None;
        }
        if cancel.is_asked() {
            break;
        }
    }
    reports
}

/// Runs the slices of one script and publishes them as one snapshot.
fn at_once(
    runner: &Runner<'_>,
    checked: &Checked,
    values: &[Option<String>],
    output: &Output,
) -> Vec<Report> {
    let started = Instant::now();
    // Twice the same slice is that slice.
    let mut wanted: Vec<&Option<String>> = Vec::with_capacity(values.len());
    let mut requests: Vec<Request<'_>> = Vec::with_capacity(values.len());
    for value in values {
        match request(checked, value.as_deref()) {
            Ok(one)
                if requests
                    .iter()
                    .any(|known| known.partition == one.partition) => {}
            Ok(one) => {
                wanted.push(value);
                requests.push(one);
            }
            Err(error) => {
                let told = report(checked, value.as_deref(), Err(error), started);
                say(checked, &told, true, output);
                return vec![told.0];
            }
        }
    }
    let bar = output.progress(requests.len(), &checked.file.name);
    let results = runner.run_together(&requests, &mut None, &|| bar.inc(1));
    bar.finish_and_clear();
    let told = wanted.into_iter().zip(results).map(|(value, result)| {
        let told = report(checked, value.as_deref(), result, started);
        say(checked, &told, true, output);
        told.0
    });
    told.collect()
}

fn request<'a>(checked: &'a Checked, value: Option<&str>) -> Result<Request<'a>, RunError> {
    Ok(Request {
        file: &checked.file,
        script: &checked.script,
        partition: resolve_slice(&checked.script, value, jiff::Timestamp::now())?,
        trigger: "manual",
        parent: None,
        work: Work::Run,
    })
}

fn one(
    runner: &Runner<'_>,
    checked: &Checked,
    value: Option<&str>,
    engine: &mut Option<crate::engine::Engine>,
) -> (Report, Option<RunError>) {
    let started = Instant::now();
    let result = request(checked, value).and_then(|request| runner.run(&request, engine));
    report(checked, value, result, started)
}

fn report(
    checked: &Checked,
    value: Option<&str>,
    result: Result<Summary, RunError>,
    started: Instant,
) -> (Report, Option<RunError>) {
    let result = result.map(|mut summary| {
        if value.is_none() && summary.partition.is_some() && summary.rows == Some(0) {
            summary.warnings.push(
                "the slice that is open now got no row; name others with `--partition VALUE`"
                    .to_owned(),
            );
        }
        summary
    });
    let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let report = |status, summary: Option<Summary>, error| Report {
        script: checked.file.name.clone(),
        partition: summary
            .as_ref()
            .and_then(|summary| summary.partition.clone())
            .or_else(|| value.map(str::to_owned)),
        status,
        summary,
        error,
        elapsed_ms,
    };
    match result {
        Ok(summary) if summary.changed => (report(Ended::Materialized, Some(summary), None), None),
        Ok(summary) => (report(Ended::Unchanged, Some(summary), None), None),
        Err(error) => {
            let status = if matches!(error, RunError::Cancelled(_)) {
                Ended::Cancelled
            } else {
                Ended::Failed
            };
            let told = ErrorReport::of_run(&checked.file, &error);
            (report(status, None, Some(told)), Some(error))
        }
    }
}

/// A line for a run that went well (unless a bar shows them), the whole story for one that did not.
fn say(
    checked: &Checked,
    (report, error): &(Report, Option<RunError>),
    lines: bool,
    output: &Output,
) {
    let name = with_slice(&checked.file.name, report.partition.as_deref());
    if let Some(error) = error {
        output.cross(&name);
        output.diagnostic(&diagnostics::render_run(&checked.file, error));
        if let RunError::Tests { outcomes, .. } = error {
            for line in super::test::lines(outcomes) {
                output.note(&line);
            }
        }
        return;
    }
    let Some(summary) = &report.summary else {
        return;
    };
    if lines {
        let target = summary.materialized.as_deref().unwrap_or("done");
        let what = match (summary.snapshot_id, summary.rows) {
            (Some(snapshot), Some(rows)) => {
                format!("{} row(s), snapshot {snapshot}", grouped(rows))
            }
            (None, Some(rows)) => format!("{} row(s), unchanged", grouped(rows)),
            (_, None) => String::from("done"),
        };
        output.tick(&format!(
            "{name} → {target}: {what} ({} ms)",
            report.elapsed_ms
        ));
    }
    for warning in &summary.warnings {
        output.warning(&format!("{name}: {warning}"));
    }
}

fn table(reports: &[Report], output: &Output) {
    output.table(
        &["script", "partition", "status", "rows", "snapshot", "ms"],
        reports.iter().map(|report| {
            let summary = report.summary.as_ref();
            vec![
                report.script.clone(),
                report.partition.clone().unwrap_or_default(),
                report.status.as_str().to_owned(),
                optional(summary.and_then(|summary| summary.rows)),
                optional(summary.and_then(|summary| summary.snapshot_id)),
                report.elapsed_ms.to_string(),
            ]
        }),
    );
}

/// The first Ctrl-C interrupts the engine, rolls back and records; a second one ends the process at once.
fn stop_on_ctrl_c(cancel: Arc<Cancel>) {
    std::thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
        else {
            return;
        };
        runtime.block_on(async {
            while asked_to_stop().await {
                if cancel.is_asked() {
                    std::process::exit(130);
                }
                cancel.cancel();
            }
        });
    });
}

/// Waits for Ctrl-C, or for the signal with which service managers end a process; false when there are no signals.
#[cfg(unix)]
async fn asked_to_stop() -> bool {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        return tokio::signal::ctrl_c().await.is_ok();
    };
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed.is_ok(),
        sent = terminate.recv() => sent.is_some(),
    }
}

/// Waits for Ctrl-C; false when there are no signals.
#[cfg(not(unix))]
async fn asked_to_stop() -> bool {
    tokio::signal::ctrl_c().await.is_ok()
}
