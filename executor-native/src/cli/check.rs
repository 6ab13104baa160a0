//! `lakemill check`

use std::path::{Path, PathBuf};

use parser_core::Script;
use parser_core::diagnostic::{Code, Diagnostic, Severity, in_text_order};
use parser_core::graph::{Graph, Node};
use parser_core::partition::Slice;
use parser_core::script::{Mode, Partitioned, Rule};
use parser_core::source::LineIndex;

use super::asset::Named;
use super::diagnostics::{self, Located};
use super::failure::{ErrorReport, Failure};
use super::output::Output;
use crate::config::{Project, ScriptFile, Scripts, Unreadable};
use crate::run::{SystemZones, resolve_slice};
use crate::verify;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lakemill check\n  lakemill check pipelines/orders.sql --deny warnings\n  lakemill check --json"
)]
pub(super) struct Arguments {
    /// Scripts or folders [default: pipelines/]
    paths: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Fail on warnings, too
    #[arg(long, value_name = "WHAT", value_parser = ["warnings"])]
    deny: Option<String>,
}

/// A script, parsed and checked.
pub(super) struct Checked {
    pub(super) file: ScriptFile,
    pub(super) script: Script,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Checked {
    pub(super) fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    fn count(&self, severity: Severity) -> usize {
        self.diagnostics
            .iter()
            .filter(|found| found.severity == severity)
            .count()
    }
}

/// Parses and validates one script.
pub(super) fn check(file: ScriptFile) -> Checked {
    let parsed = parser_core::validate::parse_and_validate(&file.text, &SystemZones);
    Checked {
        file,
        script: parsed.script,
        diagnostics: parsed.diagnostics,
    }
}

/// Parses and validates scripts, each alone and then against each other.
pub(super) fn check_all(files: impl IntoIterator<Item = ScriptFile>) -> Vec<Checked> {
    let mut scripts: Vec<Checked> = files.into_iter().map(check).collect();
    let nodes: Vec<Node<'_>> = scripts
        .iter()
        .map(|checked| Node {
            path: &checked.file.name,
            script: &checked.script,
        })
        .collect();
    let found = parser_core::validate::validate_set(&nodes, &Graph::new(&nodes));
    for (at, diagnostic) in found {
        scripts[at].diagnostics.push(diagnostic);
    }
    for script in &mut scripts {
        in_text_order(&mut script.diagnostics);
    }
    scripts
}

/// What keeps the scripts that a script's data tests name from being run.
fn test_scripts(project: &Project, checked: &Checked) -> Vec<Diagnostic> {
    let header = &checked.script.header;
    // Elsewhere the tests have no effect, which is told.
    let runs = header
        .materialize
        .as_ref()
        .is_some_and(|line| line.value.mode == Mode::Managed);
    // Any slice does. The one that is open may be before the first: then a run tells.
    let slice = match header.partition.as_ref().map(|line| &line.value) {
        Some(Partitioned::Dynamic { .. }) => Ok(Some(Slice {
            value: "a".to_owned(),
            bounds: None,
        })),
        Some(Partitioned::Time(_)) | None => {
            resolve_slice(&checked.script, None, jiff::Timestamp::now())
        }
    };
    let Some(slice) = slice.ok().filter(|_| runs) else {
        return Vec::new();
    };
    let tests = header.data_tests.iter();
    tests
        .filter_map(|test| {
            let sound = match &test.value.rule {
                Rule::Custom { path } => verify::sound_script(project, &path.value, slice.as_ref()),
                Rule::Expression { sql } => verify::sound_expression(project, &sql.value),
                Rule::Unique { .. }
                | Rule::NotNull { .. }
                | Rule::AcceptedValues { .. }
                | Rule::Relationships { .. }
                | Rule::RowCount { .. }
                | Rule::Freshness { .. } => Ok(()),
            };
            let why = sound.err()?;
            let message = format!(
                "the data test `{}` cannot run: {why}",
                test.value.rule.name()
            );
            Some(Diagnostic::new(Code::LM313, test.span, message))
        })
        .collect()
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let project = Project::open(directory)?;
    let found = project.select(&arguments.paths)?;
    let unreadable = found.unreadable;
    let mut scripts = check_all(found.files);
    for checked in &mut scripts {
        let found = test_scripts(&project, checked);
        checked.diagnostics.extend(found);
        in_text_order(&mut checked.diagnostics);
    }
    let wrong: usize = scripts.iter().map(|s| s.count(Severity::Error)).sum();
    let errors = wrong + unreadable.len();
    let warnings: usize = scripts.iter().map(|s| s.count(Severity::Warning)).sum();

    if arguments.json {
        let mut found: Vec<Located> = unreadable.iter().map(diagnostics::unreadable).collect();
        found.extend(located(&scripts));
        output.json(&serde_json::json!({
            "scripts": scripts.len(), "errors": errors, "warnings": warnings, "diagnostics": found,
        }))?;
    } else {
        report_unreadable(&unreadable, output);
        for checked in &scripts {
            report(checked, output);
        }
        output.line(&format!(
            "{} script(s), {errors} error(s), {warnings} warning(s)",
            scripts.len()
        ));
    }
    if errors > 0 || (arguments.deny.is_some() && warnings > 0) {
        return Err(Failure::Reported);
    }
    Ok(())
}

/// The slice that is asked for, or the one that is open now; `None` when the script has none.
///
/// What the script has no slice for is a wrong use of the command.
pub(super) fn asked_slice(
    checked: &Checked,
    value: Option<&str>,
) -> Result<Option<Slice>, Failure> {
    let name = &checked.file.name;
    if let (None, Some(value)) = (&checked.script.header.partition, value) {
        return Err(Failure::Usage(format!(
            "{name} is not `partitioned`: leave out `--partition {value}`, or add `-- partitioned daily` to the script"
        )));
    }
    resolve_slice(&checked.script, value, jiff::Timestamp::now())
        .map_err(|error| Failure::Usage(format!("{name}: {error}")))
}

/// Says what was found in the scripts, all of them, and refuses those with errors.
pub(super) fn require_sound(scripts: &[Checked], output: &Output) -> Result<(), Failure> {
    for checked in scripts {
        report(checked, output);
    }
    let errors: usize = scripts.iter().map(|s| s.count(Severity::Error)).sum();
    if errors == 0 {
        return Ok(());
    }
    Err(Failure::Told(Box::new(ErrorReport {
        diagnostics: located(scripts),
        ..ErrorReport::plain(&format!(
            "{errors} error(s) in the scripts: nothing was run"
        ))
    })))
}

/// What was found in the scripts, as JSON.
fn located(scripts: &[Checked]) -> Vec<Located> {
    let found = scripts
        .iter()
        .filter(|checked| !checked.diagnostics.is_empty());
    found
        .flat_map(|checked| {
            let index = LineIndex::new(&checked.file.text);
            let found = checked.diagnostics.iter();
            found
                .map(|diagnostic| diagnostics::located(&checked.file, &index, diagnostic))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Says which files could not be read.
pub(super) fn report_unreadable(files: &[Unreadable], output: &Output) {
    for file in files {
        output.cross(&file.to_string());
    }
}

/// Prints a script's diagnostics.
pub(super) fn report(checked: &Checked, output: &Output) {
    for diagnostic in &checked.diagnostics {
        output.diagnostic(&diagnostics::render(&checked.file, diagnostic));
    }
}

/// The script that materializes an asset.
pub(super) fn writer(project: &Project, asset: &Named) -> Result<Checked, Failure> {
    let wanted = &asset.key.path;
    let Scripts { files, unreadable } = project.scripts();
    check_all(files)
        .into_iter()
        .find(|checked| {
            let target = checked.script.header.materialize.as_ref();
            target.is_some_and(|line| line.value.asset.value.path.eq_ignore_ascii_case(wanted))
        })
        .ok_or_else(|| {
            let mut why = format!("no script of this project materializes `{wanted}`");
            for file in unreadable {
                why.push_str(&format!("; {file}"));
            }
            Failure::Usage(why)
        })
}
