//! `lakemill rebuild`

use std::path::Path;

use parser_core::plan::Strategy;

use super::asset;
use super::check;
use super::diagnostics;
use super::failure::{ErrorReport, Failure};
use super::output::{Output, grouped};
use super::workspace::Workspace;
use super::{plan, run};
use crate::config::Timeout;
use crate::lake::{self, LakeError};
use crate::run::{Request, RunError, Work, explain};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lakemill rebuild analytics/orders --dry-run       the statements, without running them\n  lakemill rebuild analytics/orders --by ordered_at"
)]
pub(super) struct Arguments {
    /// The asset
    asset: String,
    /// Column that tells the partitions of rows [default: the one that the script gives to wm_partition]
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// How long it may take [default: `[run] timeout`, else without an end]
    #[arg(long, value_name = "DURATION")]
    timeout: Option<Timeout>,
    /// Print the SQL that would be sent
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let mut workspace = Workspace::open(directory, output)?;
    workspace.project.set_timeout(arguments.timeout.as_ref());
    let project = &workspace.project;
    let named = asset::named(&arguments.asset)?;
    let checked = check::writer(project, &named)?;
    check::require_sound(std::slice::from_ref(&checked), output)?;
    let (file, script) = (&checked.file, &checked.script);
    if !lake::exists(&project.lake(&named.table.lake)?) {
        return Err(LakeError::Absent(named.table.lake).into());
    }
    let work = Work::Rebuild {
        by: arguments.by.clone(),
    };
    let told = |error: RunError| match error {
        RunError::Config(error) => error.into(),
        error => {
            output.diagnostic(&diagnostics::render_run(file, &error));
            Failure::Told(Box::new(ErrorReport::of_run(file, &error)))
        }
    };
    let mut plan = explain(project, file, script, None, &work).map_err(told)?;
    let path = &named.key.path;
    let nothing = format!(
        "nothing to do: {path} has the layout that `{}` says",
        file.name
    );
    if plan.publish.is_empty() && !arguments.json {
        output.tick(&nothing);
        return Ok(());
    }
    if plan.publish.is_empty() && !arguments.dry_run {
        // As the summary of a run would say it.
        return output.json(&serde_json::json!({
            "materialized": named.table.uri(),
            "strategy": Strategy::Rebuild.as_str(),
            "changed": false,
            "warnings": [nothing],
        }));
    }
    if arguments.dry_run {
        if plan.publish.is_empty() {
            plan.warnings.push(nothing);
        }
        if arguments.json {
            return output.json(&parser_core::wire::plan_reply(&file.text, &plan, None));
        }
        return plan::print(project, &plan, None, output);
    }
    let request = Request {
        file,
        script,
        partition: None,
        trigger: "manual",
        parent: None,
        work,
    };
    let summary = run::with_runner(&workspace, |runner| runner.run(&request, &mut None))?;
    let summary = summary.map_err(told)?;
    if arguments.json {
        return output.json(&summary);
    }
    for warning in &summary.warnings {
        output.warning(warning);
    }
    output.tick(&match (summary.snapshot_id, summary.rows) {
        (Some(snapshot), Some(rows)) => {
            format!("{path}: {} row(s), snapshot {snapshot}", grouped(rows))
        }
        (Some(snapshot), None) => format!("{path}: snapshot {snapshot}"),
        (None, _) => nothing,
    });
    Ok(())
}
