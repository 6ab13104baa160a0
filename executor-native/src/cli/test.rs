//! `lakemill test`

use std::collections::BTreeSet;
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
use crate::config::Project;
use crate::lake::LakeReader;
use crate::run::Audit;
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
    asset: String,
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
    let project = Project::open(directory)?;
    let scripts = chosen(&project, &arguments.what, output)?;
    check::require_sound(&scripts, output)?;
    let mut reports = Vec::new();
    for checked in &scripts {
        reports.extend(one(&project, checked, arguments, output)?);
    }
    if let Some(file) = &arguments.junit {
        junit::write(file, reports.iter().map(suite))?;
    }
    if arguments.json {
        output.json(&serde_json::json!({ "tests": reports }))?;
    } else if reports.is_empty() {
        output.note("there is no data test to run");
    }
    Failure::of_reports(
        reports.iter().all(|report| report.passed),
        reports.iter().any(|report| report.is_misconfigured),
    )
}

/// The scripts that are meant: those with data tests among all, or those that are named by path or by what they write.
fn chosen(project: &Project, what: &[String], output: &Output) -> Result<Vec<Checked>, Failure> {
    let has_tests = |checked: &Checked| {
        let header = &checked.script.header;
        let managed = header
            .materialize
            .as_ref()
            .is_some_and(|line| line.value.mode == Mode::Managed);
        managed && !header.data_tests.is_empty()
    };
    if what.is_empty() {
        let all = check::check_all(project.scripts()?);
        return Ok(all.into_iter().filter(has_tests).collect());
    }
    let mut chosen = Vec::new();
    for name in what {
        let path = PathBuf::from(name);
        if let Ok(files) = project.select(std::slice::from_ref(&path)) {
            let all = check::check_all(files);
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
    Ok(chosen)
}

fn one(
    project: &Project,
    checked: &Checked,
    arguments: &Arguments,
    output: &Output,
) -> Result<Vec<Report>, Failure> {
    let Some(line) = &checked.script.header.materialize else {
        return Ok(Vec::new());
    };
    let asset = line.value.asset.value.to_string();
    let report = |partition| Report {
        script: checked.file.name.clone(),
        asset: asset.clone(),
        partition,
        passed: false,
        data_tests: Vec::new(),
        error: None,
        code: None,
        range: None,
        is_misconfigured: false,
        elapsed: Duration::ZERO,
    };
    let slices = match slices(project, checked, &arguments.partitions) {
        Ok(slices) => slices,
        // One table that cannot be looked at is no reason to leave out the others.
        Err(Failure::Failed(error)) => {
            output.cross(&format!("{asset}: {error}"));
            let error = Some(error);
            return Ok(vec![Report {
                error,
                ..report(None)
            }]);
        }
        Err(failure) => return Err(failure),
    };
    let mut audit = Audit::new(project, &checked.file, &checked.script);
    let mut reports = Vec::new();
    for slice in slices {
        let started = Instant::now();
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

/// The slices to look at: those that are asked for, else those that the table has. Without partitions all of it.
fn slices(
    project: &Project,
    checked: &Checked,
    wanted: &[String],
) -> Result<Vec<Option<Slice>>, Failure> {
    let header = &checked.script.header;
    if header.partition.is_none() && wanted.is_empty() {
        return Ok(vec![None]);
    }
    let resolved = |values: &[String]| -> Result<Vec<Option<Slice>>, Failure> {
        values
            .iter()
            .map(|value| check::asked_slice(checked, Some(value)))
            .collect()
    };
    // One that does not fit the script is told by it, before the table is looked at.
    let asked = resolved(wanted)?;
    let target = header.materialize.as_ref();
    let Some(table) = target.and_then(|line| line.value.asset.value.lake_table()) else {
        return Ok(Vec::new());
    };
    let reader = LakeReader::open(project, &table.lake)?;
    let table = reader.table(&table.schema, &table.table);
    reader.require(&table)?;
    let known = reader.slices(&table)?;
    let known: Vec<String> = known.into_iter().filter_map(|(value, _)| value).collect();
    if wanted.is_empty() {
        return resolved(&known);
    }
    match wanted.iter().find(|value| !known.contains(value)) {
        Some(value) => Err(Failure::Failed(format!(
            "the table has no slice `{value}`: `lakemill partitions` lists those that it has"
        ))),
        None => Ok(asked),
    }
}

fn title(report: &Report) -> String {
    with_slice(&report.asset, report.partition.as_deref())
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
