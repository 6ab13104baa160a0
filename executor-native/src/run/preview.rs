//! `lakemill plan`: the plan that a run would carry out, found without writing anything.

use parser_core::Script;
use parser_core::partition::Slice;
use parser_core::plan::{Catalog, LakeSource, Observed, Plan, RunContext, Statement};
use parser_core::render::{checks, render};

use super::cause::with_cause;
use super::session::explain as at_line;
use super::setup::set_up;
use super::target::{describe_rows, observe};
use super::{NO_JOB, RunError, Work, context};
use super::{data_tests, layout};
use crate::config::{Project, ScriptFile};
use crate::engine::{Command, Engine, Outside};
use crate::lake;
use crate::scratch::Scratch;

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
    plan.map_err(|error| with_cause(error, project, &context.lakes))
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
    // What the engine has open goes after it.
    let scratch = Scratch::default();
    let mut engine = Engine::open(&project.config.engine, &project.root, &outside.needs)?;
    outside.admit(&engine)?;
    // Of lakes that do not exist yet, so that looking at them does not make them.
    let mut stand_in = context.clone();
    for (name, source) in stand_in.lakes.iter_mut() {
        if lake::exists(source) {
            *source = lake::readable(source, &scratch)?;
        } else {
            let folder = scratch.path();
            let file = folder.join(format!("{name}.sqlite"));
            *source = LakeSource {
                catalog: Catalog::Sqlite(file.to_string_lossy().into_owned()),
                data_path: format!("{}/", folder.join(name).display()),
            };
            lake::prepare(&engine, name, source, folder)?;
        }
    }
    let looked_at = work.prepare(&file.text, script, &stand_in)?;
    let mut seen = Observed::default();
    let allowed = project.allowed_directories(&stand_in.lakes)?;
    let send = |engine: &Engine, statement: &Statement| run(engine, statement, file);
    for statement in &looked_at.open {
        send(&engine, statement)?;
    }
    let (setup, allowed) = (&looked_at.setup, allowed.as_deref());
    let settings = set_up(&mut engine, script, setup, allowed, send)?;
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
    layout::look(&engine, &write, script, work, &mut seen)?;
    let mut plan = work.build(preparation, &file.text, script, context, &seen)?;
    let remark = layout::before_start(&engine, &write, script, &plan)?;
    plan.warnings.extend(remark);
    Ok(plan)
}

/// Statements of a plan that are sent for one purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What for.
    pub name: &'static str,
    /// SQL texts, in order.
    pub statements: Vec<String>,
}

/// What a run sends, in order. With write-audit-publish the data tests come before the COMMIT.
///
/// # Errors
/// [`RunError::Test`] of a test script that cannot be read.
pub fn groups(
    project: &Project,
    plan: &Plan,
    slice: Option<&Slice>,
) -> Result<Vec<Group>, RunError> {
    let group = |name, statements: &[Statement]| Group {
        name,
        statements: statements
            .iter()
            .map(|statement| render(statement).sql().to_owned())
            .collect(),
    };
    let preparation = &plan.preparation;
    let mut groups = vec![
        group("open", &preparation.open),
        group("setup", &preparation.setup),
    ];
    if let Some(write) = &preparation.write {
        groups.push(group("inspect", &write.inspect));
    }
    groups.push(group("stage", &plan.stage));
    groups.push(group("publish", &plan.publish));
    if let Some(write) = &preparation.write {
        let target = &write.target.table_ref;
        let scripts = data_tests::scripts(project, &plan.checks, slice)?;
        let counts = checks(&plan.checks, target, &write.scope);
        let queries = counts.into_iter().chain(scripts.queries(target));
        groups.push(Group {
            name: "data tests",
            statements: queries.map(|query| query.sql().to_owned()).collect(),
        });
    }
    groups.push(group("finish", &plan.finish));
    groups.retain(|group| !group.statements.is_empty());
    Ok(groups)
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
