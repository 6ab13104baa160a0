//! `lakemill test`

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use parser_core::partition::Slice;
use parser_core::script::Mode;
use parser_core::source::Range;
use serde::Serialize;

use super::asset;
use super::check::{self, Checked};
use super::diagnostics;
use super::failure::{ErrorReport, Failure};
use super::junit::{self, Halt, Suite};
use super::output::{Output, with_slice};
use super::workspace::Workspace;
use crate::config::{ConfigError, Project, Scripts, Unreadable};
use crate::lake::LakeReader;
use crate::run::Audit;
use crate::state::{AssetKey, SliceRecord, StateStore};
use crate::verify::{self, TestOutcome, Verdict};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lakemill test                                 every table that has data tests\n  lakemill test analytics/orders\n  lakemill test pipelines/daily.sql --partition 2026-06-19 --junit tests.xml"
)]
pub(super) struct Arguments {
    /// Assets or scripts [default: all that have data tests]
    what: Vec<String>,
    /// Partition to look at; may be repeated [default: each that the table has]
    #[arg(long = "partition", value_name = "VALUE")]
    partitions: Vec<String>,
    /// Write the outcomes as JUnit XML, too; `-` is the standard output, in place of the usual lines
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What the tests of one table, or one slice of it, found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    script: String,
    /// What the script writes; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    asset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partition: Option<String>,
    passed: bool,
    data_tests: Vec<TestOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The error's code, which `lakemill explain` explains.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    /// The place in the script that the error is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
    #[serde(skip)]
    is_misconfigured: bool,
    #[serde(skip)]
    elapsed: Duration,
}

impl Report {
    fn new(script: &str, asset: Option<String>, partition: Option<String>) -> Self {
        Self {
            script: script.to_owned(),
            asset,
            partition,
            passed: false,
            data_tests: Vec::new(),
            error: None,
            code: None,
            range: None,
            is_misconfigured: false,
            elapsed: Duration::ZERO,
        }
    }

    fn unreadable(file: &Unreadable) -> Self {
        Self {
            error: Some(file.to_string()),
            ..Self::new(&file.name, None, None)
        }
    }
}

impl Arguments {
    /// Whether the lines for people would stand between what machines read.
    fn is_for_machines(&self) -> bool {
        self.json || self.junit.as_deref().is_some_and(junit::is_stdout)
    }
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    junit::refuse_both(arguments.junit.as_deref(), arguments.json)?;
    let workspace = Workspace::look(directory, output)?;
    let (scripts, unreadable) = chosen(&workspace.project, &arguments.what, output)?;
    check::report_unreadable(&unreadable, output);
    check::require_sound(&scripts, output)?;
    let mut reports: Vec<Report> = unreadable.iter().map(Report::unreadable).collect();
    for checked in &scripts {
        reports.extend(one(&workspace, checked, arguments, output)?);
    }
    if let Some(file) = &arguments.junit {
        junit::write(file, reports.iter().map(suite))?;
    }
    if reports.is_empty() {
        output.note("there is no data test to run");
    }
    if arguments.json {
        output.json(&serde_json::json!({ "tests": reports }))?;
    }
    Failure::of_reports(
        reports.iter().all(|report| report.passed),
        reports.iter().any(|report| report.is_misconfigured),
    )
}

/// The scripts that are meant: those with data tests among all, or those that are named by path or by what they write.
///
/// With them come files that could not be read, which may have some.
fn chosen(
    project: &Project,
    what: &[String],
    output: &Output,
) -> Result<(Vec<Checked>, Vec<Unreadable>), Failure> {
    let has_tests = |checked: &Checked| {
        let header = &checked.script.header;
        let managed = header
            .materialize
            .as_ref()
            .is_some_and(|line| line.value.mode == Mode::Managed);
        managed && !header.data_tests.is_empty()
    };
    if what.is_empty() {
        let Scripts { files, unreadable } = project.scripts();
        let all = check::check_all(files).into_iter();
        return Ok((all.filter(has_tests).collect(), unreadable));
    }
    let (mut chosen, mut unreadable) = (Vec::new(), Vec::new());
    for name in what {
        let path = PathBuf::from(name);
        let found = match project.select(std::slice::from_ref(&path)) {
            Err(ConfigError::File { source, .. }) if source.kind() == ErrorKind::NotFound => None,
            found => Some(found?),
        };
        if let Some(found) = found {
            unreadable.extend(found.unreadable);
            let all = check::check_all(found.files);
            if let [only] = all.as_slice()
                && !has_tests(only)
            {
                check::report(only, output);
                let what = if only.script.is_data_test() {
                    "is a data test: name a table that it is a test of"
                } else {
                    "has no data test that could run"
                };
                return Err(Failure::Usage(format!("`{}` {what}", only.file.name)));
            }
            chosen.extend(all.into_iter().filter(has_tests));
            continue;
        }
        let writer = check::writer(project, &asset::named(name)?)?;
        chosen.extend(Some(writer).filter(has_tests));
    }
    // However often it is named, and by whichever name.
    let mut seen = BTreeSet::new();
    chosen.retain(|checked| seen.insert(checked.file.name.clone()));
    Ok((chosen, unreadable))
}

fn one(
    workspace: &Workspace,
    checked: &Checked,
    arguments: &Arguments,
    output: &Output,
) -> Result<Vec<Report>, Failure> {
    let Some(line) = &checked.script.header.materialize else {
        return Ok(Vec::new());
    };
    let asset = line.value.asset.value.to_string();
    let report = |partition| Report::new(&checked.file.name, Some(asset.clone()), partition);
    let refused = |partition: Option<String>, error: String| {
        let report = Report {
            error: Some(error),
            ..report(partition)
        };
        let error = report.error.as_deref().unwrap_or_default();
        output.cross(&format!("{}: {error}", title(&report)));
        report
    };
    let slices = match slices(workspace, checked, &arguments.partitions, output) {
        Ok(slices) => slices,
        // One table that cannot be looked at is no reason to leave out the others.
        Err(Failure::Failed(error)) => return Ok(vec![refused(None, error)]),
        Err(failure) => return Err(failure),
    };
    let mut audit = Audit::new(&workspace.project, &checked.file, &checked.script);
    let mut reports = Vec::new();
    for slice in slices {
        let started = Instant::now();
        let slice = match slice {
            Looked::At(slice) => slice,
            Looked::Unfit { value, why } => {
                reports.push(refused(Some(value), why));
                continue;
            }
        };
        let mut report = report(slice.as_ref().map(|slice| slice.value.clone()));
        match audit.run(slice) {
            Ok(outcomes) => {
                report.passed = verify::passed(&outcomes);
                report.data_tests = outcomes;
                if !arguments.is_for_machines() {
                    say(&report, output);
                }
            }
            Err(error) => {
                output.cross(&title(&report));
                output.diagnostic(&diagnostics::render_run(&checked.file, &error));
                let told = ErrorReport::of_run(&checked.file, &error);
                report.error = Some(told.message);
                report.code = told.code;
                report.range = told.range;
                report.is_misconfigured = told.is_misconfigured;
            }
        }
        report.elapsed = started.elapsed();
        reports.push(report);
    }
    Ok(reports)
}

/// A slice of a table.
enum Looked {
    /// To look at; `None` is all of the table.
    At(Option<Slice>),
    /// That has rows, and that the script knows no slice for.
    Unfit { value: String, why: String },
}

/// The slices to look at: those that are asked for, else those that the table has. Without partitions all of it.
fn slices(
    workspace: &Workspace,
    checked: &Checked,
    wanted: &[String],
    output: &Output,
) -> Result<Vec<Looked>, Failure> {
    let header = &checked.script.header;
    if header.partition.is_none() && wanted.is_empty() {
        return Ok(vec![Looked::At(None)]);
    }
    // One that does not fit the script is told by it, before the table is looked at.
    let asked: Vec<Looked> = wanted
        .iter()
        .map(|value| Ok(Looked::At(check::asked_slice(checked, Some(value))?)))
        .collect::<Result<_, Failure>>()?;
    let Some(line) = &header.materialize else {
        return Ok(Vec::new());
    };
    let asset = asset::named(&line.value.asset.value.to_string())?;
    let reader = LakeReader::open(&workspace.project, &asset.table.lake)?;
    let table = reader.table(&asset.table.schema, &asset.table.table);
    reader.require(&table)?;
    let mut filled = BTreeSet::new();
    for (value, rows) in reader.slices(&table)? {
        match value {
            Some(value) => {
                filled.insert(value);
            }
            None => output.warning(&format!(
                "{}: {rows} row(s) are in no slice, and are not tested",
                asset.key.path
            )),
        }
    }
    let recorded = recorded(workspace.state.as_ref(), &asset.key)?;
    if let Some(value) = wanted
        .iter()
        .find(|value| !filled.contains(*value) && !recorded.contains(*value))
    {
        return Err(Failure::Failed(format!(
            "the table has no slice `{value}`: `lakemill partitions` lists those that it has"
        )));
    }
    if !wanted.is_empty() {
        return Ok(asked);
    }
    let slice = |value: &String| check::asked_slice(checked, Some(value));
    let found: Vec<Looked> = filled
        .union(&recorded)
        .filter_map(|value| match slice(value) {
            Ok(slice) => Some(Looked::At(slice)),
            Err(why) if filled.contains(value) => Some(Looked::Unfit {
                value: value.clone(),
                why: why.to_string(),
            }),
            // Of slices as they once were.
            Err(_) => None,
        })
        .collect();
    if found.is_empty() {
        return Err(Failure::Failed(
            "nothing was tested: the table has no row, and no slice of it is recorded as materialised"
                .to_owned(),
        ));
    }
    Ok(found)
}

/// Slices that runs have written, which may have no row. One that was written before the whole table was is none any more.
fn recorded(state: &dyn StateStore, asset: &AssetKey) -> Result<BTreeSet<String>, Failure> {
    let records = state.slices(Some(asset))?;
    let whole = records.iter().find(|record| record.partition.is_empty());
    let rewritten = whole.and_then(|record| record.materialized_at);
    let is_one = |record: &SliceRecord| {
        !record.partition.is_empty()
            && record.materialized_at.is_some()
            && record.materialized_at >= rewritten
    };
    let slices = records.into_iter().filter(is_one);
    Ok(slices.map(|record| record.partition).collect())
}

fn title(report: &Report) -> String {
    let name = report.asset.as_ref().unwrap_or(&report.script);
    with_slice(name, report.partition.as_deref())
}

fn say(report: &Report, output: &Output) {
    let passed = verify::count(&report.data_tests, Verdict::Passed);
    if report.passed {
        output.line(&format!(
            "✓ {}: {passed} data test(s) passed",
            title(report)
        ));
        if passed == report.data_tests.len() {
            return;
        }
    } else {
        output.line(&format!("✗ {}", title(report)));
    }
    for line in lines(&report.data_tests) {
        output.line(&line);
    }
}

/// A line for each test, and for a violated one some of its rows.
pub(super) fn lines(outcomes: &[TestOutcome]) -> Vec<String> {
    let mut lines = Vec::new();
    for outcome in outcomes {
        lines.push(format!("  {}", outcome.line()));
        let rows = outcome.sample.as_ref().and_then(|sample| sample.as_array());
        let shown = rows.into_iter().flatten().take(SHOWN_ROWS);
        lines.extend(shown.map(|row| format!("      {}", shortened(&row.to_string()))));
    }
    lines
}

/// Rows of a failed test that a terminal shows.
const SHOWN_ROWS: usize = 3;
/// Characters of such a row.
const SHOWN_LENGTH: usize = 160;

fn shortened(row: &str) -> String {
    match row.char_indices().nth(SHOWN_LENGTH) {
        Some((end, _)) => format!("{}…", &row[..end]),
        None => row.to_owned(),
    }
}

fn suite(report: &Report) -> Suite<'_> {
    Suite {
        name: title(report),
        script: &report.script,
        outcomes: &report.data_tests,
        halt: report.error.as_deref().map(|message| Halt::Failed {
            message,
            code: report.code,
        }),
        elapsed: report.elapsed,
    }
}
