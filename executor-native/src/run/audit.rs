//! `lakemill test`: the data tests of a script against its table as it is, without writing.

use parser_core::Script;
use parser_core::partition::Slice;
use parser_core::plan::{self, Observed, RunContext, Statement, TargetShape};
use parser_core::render::render;

use super::cancel::Stop;
use super::cause::with_cause;
use super::setup::set_up;
use super::target::observe;
use super::{Cancel, Left, NO_JOB, RunError, Stopped, context, data_tests};
use crate::config::{Project, ScriptFile};
use crate::engine::{Command, Engine, Outside};
use crate::lake::{self, LakeError};
use crate::scratch::Scratch;
use crate::verify::TestOutcome;

/// A table that is open for its data tests.
pub struct Audit<'a> {
    project: &'a Project,
    file: &'a ScriptFile,
    script: &'a Script,
    engine: Option<Engine>,
    /// Of what the engine has open.
    scratch: Scratch,
}

impl<'a> Audit<'a> {
    /// The tests of `script`, which materializes something.
    #[must_use]
    pub fn new(project: &'a Project, file: &'a ScriptFile, script: &'a Script) -> Self {
        Self {
            project,
            file,
            script,
            engine: None,
            scratch: Scratch::default(),
        }
    }

    /// Runs the tests against the table, or one slice of it.
    ///
    /// # Errors
    /// A table that is not there, a test that cannot be run, what the engine says.
    pub fn run(&mut self, partition: Option<Slice>) -> Result<Vec<TestOutcome>, RunError> {
        let mut context = context(self.project, self.file, self.script, partition, NO_JOB)?;
        for (_, source) in context.lakes.iter_mut() {
            if lake::exists(source) {
                *source = lake::readable(source, &self.scratch)?;
            }
        }
        let cancel = Cancel::default();
        let stop = Stop::new(&cancel, self.project.config.run.timeout.as_ref(), 1);
        let outcomes = self.outcomes(&context, &stop);
        outcomes.map_err(|error| match error {
            RunError::Cancelled(_) => RunError::Cancelled(Stopped {
                timed_out: stop.timed_out(),
                left: Left::Untouched,
            }),
            error => with_cause(error, self.project, &context.lakes),
        })
    }

    fn outcomes(
        &mut self,
        context: &RunContext,
        stop: &Stop<'_>,
    ) -> Result<Vec<TestOutcome>, RunError> {
        let preparation = plan::prepare(&self.file.text, self.script, context)?;
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
            Some(engine) if engine.can_renew() => {
                engine.renew(&outside.needs, &[])?;
                engine
            }
            slot => slot.insert(Engine::open(
                &self.project.config.engine,
                &self.project.root,
                &outside.needs,
            )?),
        };
        outside.admit(engine)?;
        data_tests::refuse_missing_lakes(self.script, context, &write.target.lake)?;
        let allowed = self.project.allowed_directories(&context.lakes)?;
        for statement in &preparation.open {
            send(engine, statement)?;
        }
        let (setup, allowed) = (&preparation.setup, allowed.as_deref());
        let send = |engine: &Engine, statement: &Statement| {
            stop.limit(engine.interrupt_handle(), || send(engine, statement))
        };
        let settings = set_up(engine, self.script, setup, allowed, send)?;
        if let Some(settings) = settings {
            engine.restore(&settings)?;
        }
        let mut seen = Observed::default();
        observe(engine, write, context.partition.as_ref(), &mut seen)?;
        let TargetShape::Table { columns, .. } = &seen.target else {
            return Err(absent().into());
        };
        let checks = plan::compile_checks(self.script, &write.target, columns, context)?;
        let (target, scope) = (&write.target.table_ref, &write.scope);
        let slice = context.partition.as_ref();
        let scripts = data_tests::ready(self.project, engine, &checks, target, columns, slice)?;
        stop.limit(engine.interrupt_handle(), || {
            data_tests::outcomes(engine, &checks, &scripts, target, scope, false)
        })
    }
}

/// Sends a statement as a run does, but that lakes are only read.
fn send(engine: &Engine, statement: &Statement) -> Result<(), RunError> {
    let mut statement = statement.clone();
    if let Statement::AttachLake { read_only, .. } = &mut statement {
        *read_only = true;
    }
    engine.run(&Command::from(render(&statement)))?;
    Ok(())
}
