//! `lakemill plan`: the plan that a run would carry out, found without writing anything.

use std::path::PathBuf;

use parser_core::Script;
use parser_core::partition::Slice;
use parser_core::plan::{Catalog, LakeSource, Observed, Plan, RunContext, Statement};
use parser_core::render::render;

use super::cause::with_cause;
use super::session::explain as at_line;
use super::target::{changed_settings, describe_rows, observe, order_of_setup};
use super::{NO_JOB, RunError, Work, context};
use crate::config::{Project, ScriptFile};
use crate::engine::{Command, Engine, Outside};
use crate::lake;

/// Stands in for lakes that do not exist yet, so that looking at them does not make them.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Builds the plan of `script` as a run would.
///
/// # Errors
/// What a run would meet before it publishes.
pub fn explain(
    project: &Project,
    file: &ScriptFile,
    script: &Script,
    partition: Option<Slice>,
    work: &Work,
) -> Result<Plan, RunError> {
    let context = context(project, file, script, partition, NO_JOB)?;
    let plan = planned(project, file, script, &context, work);
    plan.map_err(|error| with_cause(error, project, &context.lakes, None))
}

fn planned(
    project: &Project,
    file: &ScriptFile,
    script: &Script,
    context: &RunContext,
    work: &Work,
) -> Result<Plan, RunError> {
    let preparation = work.prepare(&file.text, script, context)?;
    let Some(write) = preparation.write.clone() else {
        // Its statements are the script's own: running them would be the run.
        let observed = Observed::default();
        return Ok(work.build(preparation, &file.text, script, context, &observed)?);
    };

    let outside = Outside::of(project, script, &file.text, &context.lakes)?;
    let mut engine = Engine::open(&project.config.engine, &project.root, &outside.needs)?;
    outside.admit(&engine)?;
    let scratch =
        Scratch(std::env::temp_dir().join(format!("lakemill-plan-{}", uuid::Uuid::now_v7())));
    let mut stand_in = context.clone();
    for (name, source) in stand_in.lakes.iter_mut() {
        if !lake::exists(source) {
            *source = LakeSource {
                catalog: Catalog::Sqlite(
                    scratch
                        .0
                        .join(format!("{name}.sqlite"))
                        .to_string_lossy()
                        .into_owned(),
                ),
                data_path: format!("{}/", scratch.0.join(name).display()),
            };
            lake::prepare(&engine, name, source, &scratch.0)?;
        }
    }
    let looked_at = work.prepare(&file.text, script, &stand_in)?;
    let mut seen = Observed::default();
    let allowed = project.allowed_directories(&stand_in.lakes)?;
    let (first, rest) = order_of_setup(&looked_at.setup, allowed.is_some());
    for statement in looked_at.open.iter().chain(first) {
        run(&engine, statement, file)?;
    }
    let settings = changed_settings(&engine, script, allowed.is_some())?;
    if let Some(directories) = allowed {
        engine.confine(&directories)?;
    }
    for statement in rest {
        run(&engine, statement, file)?;
    }
    for statement in &write.inspect {
        if let Statement::DescribeOutput(_) = statement {
            let command = Command::from(render(statement));
            let table = engine.query(&command).map_err(|error| {
                at_line(
                    error,
                    statement,
                    &command,
                    "reading the SELECT's columns",
                    &file.text,
                    engine.has_icu,
                )
            })?;
            seen.output = describe_rows(&table)?;
        }
    }
    if let Some(settings) = settings {
        engine.restore(&settings)?;
    }
    observe(&engine, &write, context.partition.as_ref(), &mut seen)?;
    Ok(work.build(preparation, &file.text, script, context, &seen)?)
}

fn run(engine: &Engine, statement: &Statement, file: &ScriptFile) -> Result<(), RunError> {
    let command = Command::from(render(statement));
    engine.run(&command).map(|_| ()).map_err(|error| {
        at_line(
            error,
            statement,
            &command,
            "preparing the session",
            &file.text,
            engine.has_icu,
        )
    })
}
