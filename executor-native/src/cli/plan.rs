//! `lakemill plan`

use std::path::{Path, PathBuf};

use parser_core::partition::Slice;
use parser_core::plan::Plan;

use super::check;
use super::diagnostics;
use super::failure::{ErrorReport, Failure};
use super::output::Output;
use crate::config::Project;
use crate::run::{self, Work};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lakemill plan pipelines/orders.sql\n  lakemill plan daily --partition 2026-06-19 --json"
)]
pub(super) struct Arguments {
    /// The script
    script: PathBuf,
    /// The partition [default: the one that is open now]
    #[arg(long, value_name = "VALUE")]
    partition: Option<String>,
    /// Print the typed plan as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let project = Project::open(directory)?;
    let files = project.select(std::slice::from_ref(&arguments.script))?;
    let [file] = <[_; 1]>::try_from(files.files)
        .map_err(|_| Failure::Usage(format!("{}: name one script", arguments.script.display())))?;
    let checked = check::check(file);
    if checked.has_errors() {
        check::require_sound(std::slice::from_ref(&checked), output)?;
    }
    let slice = check::asked_slice(&checked, arguments.partition.as_deref())?;
    let value = slice.as_ref().map(|slice| slice.value.clone());
    let plan = match run::explain(
        &project,
        &checked.file,
        &checked.script,
        slice.clone(),
        &Work::Run,
    ) {
        Ok(plan) => plan,
        Err(run::RunError::Config(error)) => return Err(error.into()),
        Err(error) => {
            output.diagnostic(&diagnostics::render_run(&checked.file, &error));
            let report = ErrorReport::of_run(&checked.file, &error);
            return Err(Failure::Told(Box::new(report)));
        }
    };
    if arguments.json {
        return output.json(&parser_core::wire::plan_reply(
            &checked.file.text,
            &plan,
            value,
        ));
    }
    print(&project, &plan, slice.as_ref(), output)
}

pub(super) fn print(
    project: &Project,
    plan: &Plan,
    slice: Option<&Slice>,
    output: &Output,
) -> Result<(), Failure> {
    for group in run::groups(project, plan, slice)? {
        output.heading(&format!("-- {}", group.name));
        for statement in &group.statements {
            output.line(&format!("{statement};"));
        }
    }
    for warning in &plan.warnings {
        output.warning(warning);
    }
    Ok(())
}
