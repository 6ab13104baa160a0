//! Publishing: one transaction, verified in the lake, retried as a whole.

use std::time::{Duration, Instant};

use parser_core::plan::{
    ManagedWrite, Outcome, Plan, PublishMode, Statement, Strategy, TargetShape,
};

use super::RunError;
use super::session::{Committed, Session, elapsed_ms, strategy_of};
use super::{data_tests, layout};
use crate::engine::{Class, Engine, EngineError, Row, question};
use crate::lake::{self, LakeError, Place, Publishing};
use crate::verify::{self, Verdict};

/// What the statements of one attempt changed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) inserted: i64,
    pub(super) deleted: i64,
    pub(super) closed: Option<i64>,
}

impl Counts {
    pub(super) fn is_nothing(self) -> bool {
        self.inserted == 0 && self.deleted == 0 && self.closed.unwrap_or_default() == 0
    }

    /// Rows that the slice must hold once the run is through, which found `before` there.
    pub(super) fn expected(self, write: &ManagedWrite, before: Option<i64>) -> Option<i64> {
        match write.strategy {
            Strategy::Replace | Strategy::ReplacePartition => Some(self.inserted),
            Strategy::Merge { .. }
            | Strategy::Append
            | Strategy::History { .. }
            | Strategy::Rebuild => before.map(|before| before - self.deleted + self.inserted),
            Strategy::Manual => None,
        }
    }

    pub(super) const fn committed(self, snapshot: Option<i64>, rows: Option<i64>) -> Committed {
        Committed {
            snapshot,
            rows,
            inserted: self.inserted,
            deleted: self.deleted,
            closed: self.closed,
        }
    }
}

/// How one attempt ended.
pub(super) enum Attempt {
    Done(Committed),
    /// Rolled back; another writer was in the way.
    Again(String),
}

impl Session<'_> {
    /// Publishes `plan`; gives the plan that was in fact published, since the target may have changed meanwhile.
    pub(super) fn publish(
        &mut self,
        engine: &Engine,
        write: &ManagedWrite,
        plan: Plan,
    ) -> Result<Plan, RunError> {
        let target = &write.target;
        let mut plan = plan;
        let mut last = String::new();
        let limit = self.runner.project.config.run.publish_attempts.max(1);
        while self.attempts < limit {
            self.attempts += 1;
            let started = Instant::now();
            let place = self.place(write)?;
            let cancelled = || self.stop.is_asked();
            let guard = Publishing::wait(self.runner.locks, engine, place, &cancelled)?;
            self.timings.lock_ms += elapsed_ms(started);
            if !self.runner.state.is_running(&self.context.job)? {
                return Err(RunError::GivenUp);
            }

            // While this run waited, another may have made or reshaped the table.
            let before = self.observed.clone();
            self.look_at_target(engine, write)?;
            if self.observed != before {
                plan = self.plan()?;
                self.stage(engine, &plan)?;
            }
            let started = Instant::now();
            let attempt = match self.unsure {
                Some(counts) => self.find_commit(engine, write, counts),
                None => self.attempt(engine, write, &plan),
            };
            self.timings.publish_ms += elapsed_ms(started);
            match attempt? {
                Attempt::Done(committed) => {
                    self.committed = Some(committed);
                    let started = Instant::now();
                    self.count(engine, write, committed)?;
                    drop(guard);
                    if self.context.publish == PublishMode::CommitThenTest {
                        self.test(engine, write, &plan, true)?;
                    }
                    self.timings.verify_ms = elapsed_ms(started);
                    return Ok(plan);
                }
                Attempt::Again(reason) => {
                    drop(guard);
                    tracing::warn!(attempt = self.attempts, %reason, "publish again");
                    last = reason;
                    std::thread::sleep(backoff(self.attempts));
                    self.stop_if_cancelled()?;
                }
            }
        }
        Err(RunError::Conflict {
            table: target.asset_path.clone(),
            attempts: self.attempts,
            last,
        })
    }

    pub(super) fn place<'w>(&'w self, write: &'w ManagedWrite) -> Result<Place<'w>, RunError> {
        let target = &write.target;
        let source = self.context.lakes.get(&target.lake);
        let source = source.ok_or_else(|| LakeError::Absent(target.lake.clone()))?;
        Ok(Place {
            lake: &target.lake,
            catalog: &source.catalog,
            asset_path: &target.asset_path,
            table: &target.table_ref,
        })
    }

    /// One transaction. Whatever goes wrong in it ends in a ROLLBACK.
    fn attempt(
        &mut self,
        engine: &Engine,
        write: &ManagedWrite,
        plan: &Plan,
    ) -> Result<Attempt, RunError> {
        let _span = tracing::debug_span!("publish", attempt = self.attempts).entered();
        let mut counts = Counts {
            closed: matches!(write.strategy, Strategy::History { .. }).then_some(0),
            ..Counts::default()
        };
        let mut changes_shape = false;
        let mut before = None;
        for statement in &plan.publish {
            let result = match statement {
                Statement::Commit => self.commit(engine, write, plan, statement),
                other => {
                    changes_shape |= makes_shape(other);
                    self.step(engine, other, "publishing", &mut counts)
                }
            };
            if let (Ok(()), Statement::Begin) = (&result, statement) {
                before = self.rows_before(engine, write)?;
            }
            if let Err(error) = result {
                let at_commit = matches!(statement, Statement::Commit);
                return self.undo(engine, write, error, statement, at_commit, counts);
            }
        }
        let expected = counts.expected(write, before);
        self.unsure = Some(counts);
        let alias = &write.target.table_ref.catalog;
        let found = lake::committed_by(engine, alias, &self.context.job)?;
        self.unsure = None;
        match found {
            Some(snapshot) => Ok(Attempt::Done(counts.committed(Some(snapshot), expected))),
            // A transaction that changed nothing makes no snapshot.
            None if counts.is_nothing() && !changes_shape => {
                Ok(Attempt::Done(counts.committed(None, expected)))
            }
            None => Ok(Attempt::Again(
                "the commit is not among the lake's snapshots".to_owned(),
            )),
        }
    }

    /// Whether the commit of the last attempt, whose end was not seen, is in the lake.
    fn find_commit(
        &mut self,
        engine: &Engine,
        write: &ManagedWrite,
        counts: Counts,
    ) -> Result<Attempt, RunError> {
        let alias = &write.target.table_ref.catalog;
        let found = lake::committed_by(engine, alias, &self.context.job)?;
        self.unsure = None;
        Ok(match found {
            Some(snapshot) => Attempt::Done(counts.committed(Some(snapshot), None)),
            None => Attempt::Again("the commit is not among the lake's snapshots".to_owned()),
        })
    }

    fn commit(
        &mut self,
        engine: &Engine,
        write: &ManagedWrite,
        plan: &Plan,
        statement: &Statement,
    ) -> Result<(), RunError> {
        if self.context.publish == PublishMode::WriteAuditPublish {
            self.test(engine, write, plan, false)?;
        }
        self.execute(engine, statement, "committing").map(|_| ())
    }

    /// Rolls back and decides: again, or for good.
    pub(super) fn undo(
        &mut self,
        engine: &Engine,
        write: &ManagedWrite,
        error: RunError,
        statement: &Statement,
        at_commit: bool,
        counts: Counts,
    ) -> Result<Attempt, RunError> {
        // There may be no transaction left to roll back: that is what is wanted, too.
        let _ = engine.run(&question::rollback());
        if at_commit && !matches!(error, RunError::Tests { .. }) {
            // A connection that broke, or an interrupt that came late, says nothing about the commit: the lake does.
            self.unsure = Some(counts);
            if let Ok(Attempt::Done(committed)) = self.find_commit(engine, write, counts) {
                return Ok(Attempt::Done(committed));
            }
        }
        let fault = match &error {
            RunError::Generated { fault, .. } | RunError::Engine(EngineError::Statement(fault)) => {
                fault
            }
            // Guards, tests and the script's own errors would only come again.
            RunError::Plan(_)
            | RunError::Script { .. }
            | RunError::Confined { .. }
            | RunError::DuplicateKeys { .. }
            | RunError::LossyCasts { .. }
            | RunError::InexactValues { .. }
            | RunError::Test { .. }
            | RunError::Tests { .. }
            | RunError::Conflict { .. }
            | RunError::Count { .. }
            | RunError::Cancelled(_)
            | RunError::GivenUp
            | RunError::Unsure(_)
            | RunError::Together { .. }
            | RunError::NotTogether(_)
            | RunError::Outside { .. }
            | RunError::Slice(_)
            | RunError::Config(_)
            | RunError::Lake(_)
            | RunError::Engine(_)
            | RunError::State(_) => return Err(error),
        };
        if may_pass(fault.class, at_commit, statement) {
            return Ok(Attempt::Again(fault.message.clone()));
        }
        Err(error)
    }

    /// Runs one statement and does with its result what the plan says.
    pub(super) fn step(
        &mut self,
        engine: &Engine,
        statement: &Statement,
        stage: &'static str,
        counts: &mut Counts,
    ) -> Result<(), RunError> {
        match statement.outcome() {
            Outcome::Nothing | Outcome::Observe => {
                self.execute(engine, statement, stage)?;
            }
            Outcome::GuardKeys => {
                let table = self.query(engine, statement, stage)?;
                if let Some(first) = table.rows.first() {
                    let examples: Vec<String> = table
                        .rows
                        .iter()
                        .filter_map(|row| {
                            Some(format!(
                                "{} ×{}",
                                row.optional_text(1)?,
                                row.integer(2).ok()?
                            ))
                        })
                        .collect();
                    return Err(RunError::DuplicateKeys {
                        keys: first.integer(0)?,
                        key: self.key(),
                        examples: examples.join(", "),
                        table: self.target_path(),
                    });
                }
            }
            Outcome::GuardCasts => {
                let table = self.query(engine, statement, stage)?;
                if !table.rows.is_empty() {
                    let columns: Vec<String> = table
                        .rows
                        .iter()
                        .map(|row| {
                            let example = row
                                .optional_text(2)
                                .map(|text| format!(", for example {text}"));
                            Ok(format!(
                                "`{}` ({} value(s){})",
                                row.text(0)?,
                                row.integer(1)?,
                                example.unwrap_or_default()
                            ))
                        })
                        .collect::<Result<_, EngineError>>()?;
                    return Err(RunError::LossyCasts {
                        columns: columns.join(", "),
                        table: self.target_path(),
                    });
                }
            }
            Outcome::GuardInexact => {
                let table = self.query(engine, statement, stage)?;
                let told = |row: &Row| -> Result<String, EngineError> {
                    let (column, lost, mend) = (row.text(0)?, row.integer(1)?, row.text(2)?);
                    Ok(format!(
                        "`{column}` ({lost} value(s); cast them in the SELECT to {mend})"
                    ))
                };
                let columns: Vec<String> = table.rows.iter().map(told).collect::<Result<_, _>>()?;
                if !columns.is_empty() {
                    return Err(RunError::InexactValues {
                        columns: columns.join(", "),
                        table: self.target_path(),
                    });
                }
            }
            Outcome::CountNullKeys => {
                let rows = self.query(engine, statement, stage)?.one()?.integer(0)?;
                if rows > 0 {
                    self.warnings.push(format!(
                        "{rows} row(s) have NULL in the key `{}`: they replace nothing and are inserted again by each run",
                        self.key()
                    ));
                }
            }
            Outcome::CountStaged => {
                let rows = self.query(engine, statement, stage)?.one()?.integer(0)?;
                tracing::debug!(rows, "staged");
            }
            Outcome::CountDeleted => {
                counts.deleted += signed(self.execute(engine, statement, stage)?)
            }
            Outcome::CountInserted => {
                counts.inserted += signed(self.execute(engine, statement, stage)?)
            }
            Outcome::CountClosed => {
                let closed = signed(self.execute(engine, statement, stage)?);
                counts.closed = Some(counts.closed.unwrap_or_default() + closed);
            }
        }
        Ok(())
    }

    fn key(&self) -> String {
        match strategy_of(&self.preparation) {
            Strategy::Merge { key } | Strategy::History { key, .. } => key.join(", "),
            Strategy::Replace
            | Strategy::ReplacePartition
            | Strategy::Append
            | Strategy::Manual
            | Strategy::Rebuild => String::new(),
        }
    }

    fn target_path(&self) -> String {
        self.preparation
            .write
            .as_ref()
            .map(|write| write.target.asset_path.clone())
            .unwrap_or_default()
    }

    /// Rows of the slice as the transaction finds them, where the sum after it depends on them.
    pub(super) fn rows_before(
        &self,
        engine: &Engine,
        write: &ManagedWrite,
    ) -> Result<Option<i64>, RunError> {
        match (&write.strategy, &self.observed.target) {
            (Strategy::Replace | Strategy::ReplacePartition | Strategy::Manual, _)
            | (_, TargetShape::View) => Ok(None),
            (_, TargetShape::Absent) => Ok(Some(0)),
            (_, TargetShape::Table { .. }) => Ok(Some(self.rows_now(engine, write, None)?)),
        }
    }

    fn rows_now(
        &self,
        engine: &Engine,
        write: &ManagedWrite,
        version: Option<i64>,
    ) -> Result<i64, RunError> {
        let partition = self
            .request
            .partition
            .as_ref()
            .map(|slice| slice.value.as_str());
        let question = question::count(&write.target.table_ref, partition, version);
        Ok(engine.query(&question)?.one()?.integer(0)?)
    }

    /// The slice must hold what the run wrote: the engine has had faults where it did not.
    pub(super) fn count(
        &mut self,
        engine: &Engine,
        write: &ManagedWrite,
        committed: Committed,
    ) -> Result<(), RunError> {
        let found = self.rows_now(engine, write, committed.snapshot)?;
        self.committed = Some(Committed {
            rows: Some(found),
            ..committed
        });
        if let (Strategy::Rebuild, Some(snapshot)) = (&write.strategy, committed.snapshot) {
            let script = self.request.script;
            self.rebuilt = Some(layout::rebuilt(engine, write, script, found, snapshot)?);
        }
        match committed.rows {
            Some(expected) if expected != found => Err(RunError::Count {
                table: write.target.asset_path.clone(),
                found,
                expected,
            }),
            Some(_) | None => Ok(()),
        }
    }

    /// A test that cannot be run fails here, by name, before anything is written. (Whether the table has the column is the
    /// plan's to check.)
    pub(super) fn check_tests(&mut self, engine: &Engine, plan: &Plan) -> Result<(), RunError> {
        let Some(write) = &self.preparation.write else {
            return Ok(());
        };
        let (target, slice) = (&write.target.table_ref, self.request.partition.as_ref());
        let project = self.runner.project;
        self.scripts =
            data_tests::ready(project, engine, &plan.checks, target, &plan.columns, slice)?;
        Ok(())
    }

    pub(super) fn test(
        &mut self,
        engine: &Engine,
        write: &ManagedWrite,
        plan: &Plan,
        committed: bool,
    ) -> Result<(), RunError> {
        let _span = tracing::debug_span!("data tests").entered();
        let (checks, target, scope) = (&plan.checks, &write.target.table_ref, &write.scope);
        self.outcomes = self.stop.limit(engine.interrupt_handle(), || {
            data_tests::outcomes(engine, checks, &self.scripts, target, scope, !committed)
        })?;
        if verify::passed(&self.outcomes) {
            let warned = self
                .outcomes
                .iter()
                .filter(|outcome| match outcome.verdict() {
                    Verdict::Warned => true,
                    Verdict::Passed | Verdict::Failed => false,
                });
            let warned = warned.map(|outcome| {
                format!(
                    "the data test `{}` has {} violating",
                    outcome.test, outcome.violating
                )
            });
            self.warnings.extend(warned);
            return Ok(());
        }
        let has_snapshot = self.committed.is_some_and(|done| done.snapshot.is_some());
        Err(RunError::Tests {
            outcomes: self.outcomes.clone(),
            committed: committed && has_snapshot,
        })
    }
}

/// Whether the statement makes a snapshot even when it changes no row.
pub(super) fn makes_shape(statement: &Statement) -> bool {
    match statement {
        Statement::CreateSchema { .. }
        | Statement::CreateTable { .. }
        | Statement::ReplaceTable { .. }
        | Statement::SetPartitionedBy(_)
        | Statement::NoteCut { .. }
        | Statement::ResetPartitionedBy(_)
        | Statement::AlterColumn { .. }
        | Statement::EmptyTable(_)
        | Statement::PutBack { .. } => true,
        Statement::Set { .. }
        | Statement::AttachLake { .. }
        | Statement::AttachDatatable { .. }
        | Statement::PartitionMacro { .. }
        | Statement::SetVariable { .. }
        | Statement::User(_)
        | Statement::DescribeOutput(_)
        | Statement::DescribeTarget { .. }
        | Statement::Stage { .. }
        | Statement::DuplicateKeys { .. }
        | Statement::NullKeys { .. }
        | Statement::LossyCasts { .. }
        | Statement::InexactValues { .. }
        | Statement::KeepRows { .. }
        | Statement::CountStaged(_)
        | Statement::Begin
        | Statement::EffectiveTime(_)
        | Statement::FindChanges { .. }
        | Statement::CloseVersions { .. }
        // A view that another run has just made is left as it is.
        | Statement::CreateCurrentView { .. }
        | Statement::Delete { .. }
        | Statement::Insert { .. }
        | Statement::CommitMessage { .. }
        | Statement::Commit
        | Statement::DropStaged(_) => false,
    }
}

fn signed(rows: u64) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

/// Whether the same transaction may pass a moment later. By class and place alone: a catalog server's words may be in
/// any language.
fn may_pass(class: Class, at_commit: bool, statement: &Statement) -> bool {
    match class {
        Class::Transaction => true,
        Class::Interrupt | Class::Internal | Class::OutOfMemory | Class::Permission => false,
        // Every statement before it went through: what fails a commit is another commit, or a busy catalog.
        Class::Io
        | Class::Catalog
        | Class::Binder
        | Class::Parser
        | Class::Conversion
        | Class::Constraint
        | Class::InvalidInput
        | Class::Other => at_commit || (class == Class::Io && statement.user_span().is_none()),
    }
}

/// 10, 20, 40 … 640 ms, each between a half and the whole, so that writers that met do not meet again.
pub(super) fn backoff(attempt: u32) -> Duration {
    let full_ms = 10_u64 << attempt.min(6);
    // The low bits of a version 7 id are random.
    let noise = uuid::Uuid::now_v7().as_u128() % 1000;
    let noise = u64::try_from(noise).unwrap_or_default();
    Duration::from_millis(full_ms / 2 + full_ms * noise / 2000)
}
