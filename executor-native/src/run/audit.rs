//! `lakemill test`: the data tests of a script against its table as it is, without writing.

use parser_core::Script;
use parser_core::partition::Slice;
use parser_core::plan::{self, Check, Observed, Preparation, RunContext, Statement, TargetShape};
use parser_core::render::render;
use parser_core::script::DataTest;

use super::target::observe;
use super::{RunError, context};
use crate::config::{Project, ScriptFile};
use crate::engine::{Command, Engine, Outside};
use crate::lake::{self, LakeError};
use crate::verify::{self, Halt, Scripts, TestOutcome};

/// A table that is open for its data tests.
pub struct Audit<'a> {
    project: &'a Project,
    file: &'a ScriptFile,
    script: &'a Script,
    engine: Option<Engine>,
}

impl<'a> Audit<'a> {
    /// The tests of `script`, which materializes something.
    #[must_use]
    pub const fn new(project: &'a Project, file: &'a ScriptFile, script: &'a Script) -> Self {
        Self {
            project,
            file,
            script,
            engine: None,
        }
    }

    /// Runs the tests against the table, or one slice of it.
    ///
    /// # Errors
    /// A table that is not there, a test that cannot be run, what the engine says.
    pub fn run(&mut self, partition: Option<Slice>) -> Result<Vec<TestOutcome>, RunError> {
        let job = "00000000-0000-0000-0000-000000000000";
        let context = context(self.project, self.file, self.script, partition, job)?;
        let preparation = plan::prepare(&self.file.text, self.script, &context)?;
        let Some(write) = &preparation.write else {
            return Ok(Vec::new());
        };
        let absent = || LakeError::NoTable(write.target.asset_path.clone());
        let source = context.lakes.get(&write.target.lake);
        if !source.is_some_and(lake::exists) {
            return Err(absent().into());
        }
        let outside = Outside::of(self.project, self.script, &self.file.text, &context.lakes)?;
        let engine = match &mut self.engine {
            Some(engine) => {
                engine.renew(&outside.needs)?;
                engine
            }
            slot @ None => slot.insert(Engine::open(
                &self.project.config.engine,
                &self.project.root,
                &outside.needs,
            )?),
        };
        outside.admit(engine)?;
        if let Some(refused) = missing_reference(self.script, &context, &write.target.lake) {
            return Err(refused);
        }
        prepare_session(engine, &preparation)?;
        let mut seen = Observed::default();
        observe(engine, write, context.partition.as_ref(), &mut seen)?;
        let TargetShape::Table { columns, .. } = &seen.target else {
            return Err(absent().into());
        };
        let checks = plan::compile_checks(self.script, &write.target, columns, &context)?;
        let scripts = Scripts::read(self.project, &checks, context.partition.as_ref())
            .map_err(|(check, reason)| not_runnable(check, reason))?;
        for check in &checks {
            if let Some(reason) = verify::obstacle(engine, check, &write.target.table_ref, columns)?
            {
                return Err(not_runnable(check, reason));
            }
        }
        let (target, scope) = (&write.target.table_ref, &write.scope);
        verify::run(engine, &checks, &scripts, target, scope).map_err(|halt| match halt {
            Halt::Refused(check, reason) => not_runnable(check, reason),
            Halt::Engine(error) => match verify::refused(engine, &checks, target, scope) {
                Some((check, reason)) => not_runnable(check, reason),
                None => error.into(),
            },
        })
    }
}

/// A data test that cannot be run fails by name.
pub(super) fn not_runnable(check: &Check, reason: String) -> RunError {
    RunError::Test {
        test: check.name.clone(),
        reason,
        span: check.span,
    }
}

/// A test that refers to a lake that holds nothing yet: attaching it would make it.
pub(super) fn missing_reference(
    script: &Script,
    context: &RunContext,
    target: &str,
) -> Option<RunError> {
    script.header.data_tests.iter().find_map(|test| {
        let DataTest::Relationships { column, to } = &test.value else {
            return None;
        };
        let lake = to.asset.lake_table()?.lake;
        let is_there = lake == target || context.lakes.get(&lake).is_none_or(lake::exists);
        (!is_there).then(|| RunError::Test {
            test: format!(
                "relationships {} -> {}.{}",
                column.value, to.asset, to.column
            ),
            reason: format!("the lake `{lake}` holds nothing yet"),
            span: test.span,
        })
    })
}

/// What the script's own statements set up, as a run has it, but that the target is only read.
fn prepare_session(engine: &Engine, preparation: &Preparation) -> Result<(), RunError> {
    for statement in preparation.open.iter().chain(&preparation.setup) {
        let mut statement = statement.clone();
        if let Statement::AttachLake { read_only, .. } = &mut statement {
            *read_only = true;
        }
        engine.run(&Command::from(render(&statement)))?;
    }
    Ok(())
}
