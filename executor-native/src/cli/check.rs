//! `lakemill check`

use std::path::{Path, PathBuf};

use parser_core::Script;
use parser_core::diagnostic::{Diagnostic, Severity, in_text_order};
use parser_core::graph::{Graph, Node};
use parser_core::source::LineIndex;

use super::diagnostics;
use super::failure::Failure;
use super::output::Output;
use crate::config::{Project, ScriptFile};
use crate::run::SystemZones;

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

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let project = Project::open(directory)?;
    let scripts = check_all(project.select(&arguments.paths)?);
    let errors: usize = scripts.iter().map(|s| s.count(Severity::Error)).sum();
    let warnings: usize = scripts.iter().map(|s| s.count(Severity::Warning)).sum();

    if arguments.json {
        let found: Vec<_> = scripts
            .iter()
            .filter(|checked| !checked.diagnostics.is_empty())
            .flat_map(|checked| {
                let index = LineIndex::new(&checked.file.text);
                checked
                    .diagnostics
                    .iter()
                    .map(|diagnostic| diagnostics::located(&checked.file, &index, diagnostic))
                    .collect::<Vec<_>>()
            })
            .collect();
        output.json(&serde_json::json!({
            "scripts": scripts.len(), "errors": errors, "warnings": warnings, "diagnostics": found,
        }))?;
    } else {
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

/// Prints a script's diagnostics.
/// Says what was found in the scripts, all of them, and refuses those with errors.
pub(super) fn require_sound(scripts: &[Checked], output: &Output) -> Result<(), Failure> {
    for checked in scripts {
        report(checked, output);
    }
    if scripts.iter().any(Checked::has_errors) {
        return Err(Failure::Reported);
    }
    Ok(())
}

pub(super) fn report(checked: &Checked, output: &Output) {
    for diagnostic in &checked.diagnostics {
        output.diagnostic(&diagnostics::render(&checked.file, diagnostic));
    }
}
