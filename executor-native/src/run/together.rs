//! Several slices of one script, published as one snapshot: all of them or none.
//!
//! Each slice has a session of its own up to its staged rows, which lie in a database in memory that all sessions of the engine
//! see. One of them then publishes all, in one transaction.

use std::time::Instant;

use parser_core::Script;
use parser_core::plan::sql::{Ident, Piece, TableRef};
use parser_core::plan::{
    ManagedWrite, PARTITION_COLUMN, Plan, PublishMode, STAGE_TABLE, Staging, Statement,
    TargetShape, cut_by,
};
use parser_core::script::Rule;

use super::cancel::Stop;
use super::publish::{Attempt, Counts, backoff, makes_shape};
use super::session::{Session, elapsed_ms};
use super::{Begun, Request, RunError, Runner, Stopped, Summary};
use crate::engine::{Engine, question};
use crate::lake::{self, Committed, Companion, Publishing};

/// The database of the staged rows.
const SHARED: &str = "_wm_together";

/// One slice.
struct Member<'a> {
    session: Session<'a>,
    write: ManagedWrite,
    /// The statements that staged its rows and guarded them.
    stage: Vec<Statement>,
    /// What the statements of the last attempt changed.
    counts: Counts,
    /// Rows of the slice before them.
    before: Option<i64>,
}

/// Which member failed, and why.
struct Failed {
    member: usize,
    error: Box<RunError>,
}

/// How a member's errors become failures of all.
fn of<E: Into<RunError>>(member: usize) -> impl Fn(E) -> Failed {
    move |error| Failed {
        member,
        error: Box::new(error.into()),
    }
}

/// How one attempt ended.
enum Published {
    /// In this snapshot.
    Done(Option<i64>),
    /// Rolled back; another writer was in the way.
    Again(String),
}

/// Where a member's rows are staged.
fn aside(member: usize) -> TableRef {
    TableRef {
        catalog: Ident::new(SHARED),
        schema: Ident::new("main"),
        table: Ident::new(format!("slice_{member}")),
    }
}

/// The name by which plans know staged rows.
fn staged() -> TableRef {
    TableRef {
        catalog: Ident::new("temp"),
        schema: Ident::new("main"),
        table: Ident::new(STAGE_TABLE),
    }
}

impl Runner<'_> {
    /// Runs one script for several slices and publishes them as one snapshot. When one of them fails, none is published.
    ///
    /// Each slice has its own record and its own outcome, in the order of `requests`; a data test after the commit fails its
    /// slice alone. `on_staged` is called once the rows of a slice are there.
    pub fn run_together(
        &self,
        requests: &[Request<'_>],
        slot: &mut Option<Engine>,
        on_staged: &dyn Fn(),
    ) -> Vec<Result<Summary, RunError>> {
        let mut begun = Vec::with_capacity(requests.len());
        for (at, request) in requests.iter().enumerate() {
            match self.prepare_together(request) {
                Ok(member) => begun.push(member),
                Err(error) => return all_failed(requests, at, error),
            }
        }
        let timeout = self.project.config.run.timeout.as_ref();
        let stop = Stop::new(self.cancel, timeout, requests.len());
        let mut members = Vec::with_capacity(requests.len());
        let mut refused = None;
        for (at, (request, (begun, write))) in requests.iter().zip(&begun).enumerate() {
            if let Err(error) = self.begin(request, begun) {
                refused = Some(of(at)(error));
                break;
            }
            let preparation = begun.preparation.clone();
            members.push(Member {
                session: Session::new(self, request, &begun.context, preparation, &stop),
                write: write.clone(),
                stage: Vec::new(),
                counts: Counts::default(),
                before: None,
            });
        }
        let done = match refused {
            Some(failed) => Err(failed),
            None => stage(&mut members, slot, on_staged)
                .and_then(|()| publish(self, &mut members, slot.as_ref())),
        };
        let results =
            done.unwrap_or_else(|failed| all_failed(requests, failed.member, *failed.error));
        // What was not begun has no record to be settled.
        let mut members = members.into_iter();
        let settled = results.into_iter().map(|result| match members.next() {
            Some(member) => self.settle(&member.session, result, slot),
            None => result,
        });
        settled.collect()
    }

    fn prepare_together(&self, request: &Request<'_>) -> Result<(Begun, ManagedWrite), RunError> {
        if !self.project.config.engine.allow_local_files {
            return Err(RunError::NotTogether(
                "sessions that are confined share no rows",
            ));
        }
        let mut begun = self.prepare(request)?;
        begun.context.staging = Staging::Always;
        if tests_see_the_session(request.script) && is_of_slice(&begun.preparation.setup) {
            return Err(RunError::NotTogether(
                "its data tests may use what its setup makes for one slice alone",
            ));
        }
        match (&begun.preparation.write, &request.partition) {
            (Some(write), Some(_)) => {
                let write = write.clone();
                Ok((begun, write))
            }
            (None, _) | (_, None) => Err(RunError::NotTogether(
                "the script has no slices that lakemill writes",
            )),
        }
    }
}

/// Whether a data test is SQL of the user's, which sees what the session has.
fn tests_see_the_session(script: &Script) -> bool {
    let tests = &script.header.data_tests;
    tests.iter().any(|test| match test.value.rule {
        Rule::Expression { .. } | Rule::Custom { .. } => true,
        Rule::Unique { .. }
        | Rule::NotNull { .. }
        | Rule::AcceptedValues { .. }
        | Rule::Relationships { .. }
        | Rule::RowCount { .. }
        | Rule::Freshness { .. } => false,
    })
}

/// Whether a statement of the user's setup names the slice.
fn is_of_slice(setup: &[Statement]) -> bool {
    let pieces = setup.iter().filter_map(|statement| match statement {
        Statement::User(sql) => Some(&sql.pieces),
        _ => None,
    });
    pieces.flatten().any(|piece| match piece {
        Piece::Substituted { .. } => true,
        Piece::Source { text, .. } => text.to_ascii_lowercase().contains("wm_partition"),
    })
}

/// Tests one slice in the session that publishes all.
fn test(
    session: &mut Session<'_>,
    engine: &Engine,
    write: &ManagedWrite,
    plan: &Plan,
    is_committed: bool,
) -> Result<(), RunError> {
    // What is done after a commit must not be cancelled for nothing.
    if plan.checks.is_empty() {
        return Ok(());
    }
    for statement in &session.preparation.setup {
        if let Statement::SetVariable { .. } = statement {
            session.execute(engine, statement, "preparing the data tests")?;
        }
    }
    session.test(engine, write, plan, is_committed)
}

/// The failure of one member, and for the others that they were not published because of it.
fn all_failed(
    requests: &[Request<'_>],
    failed: usize,
    error: RunError,
) -> Vec<Result<Summary, RunError>> {
    let slice = requests
        .get(failed)
        .and_then(|request| request.partition.as_ref())
        .map(|slice| slice.value.clone())
        .unwrap_or_default();
    let is_cancelled = matches!(error, RunError::Cancelled(_));
    let mut error = Some(error);
    let failures = (0..requests.len()).map(|at| match error.take_if(|_| at == failed) {
        Some(error) => Err(error),
        None if is_cancelled => Err(RunError::Cancelled(Stopped::default())),
        None => Err(RunError::Together {
            slice: slice.clone(),
        }),
    });
    failures.collect()
}

/// Stages the rows of all.
fn stage(
    members: &mut [Member<'_>],
    slot: &mut Option<Engine>,
    on_staged: &dyn Fn(),
) -> Result<(), Failed> {
    for (at, member) in members.iter_mut().enumerate() {
        let plan = member.session.stage_aside(&member.write, aside(at), slot);
        member.stage = plan.map_err(of(at))?.stage;
        on_staged();
    }
    Ok(())
}

fn publish(
    runner: &Runner<'_>,
    members: &mut [Member<'_>],
    engine: Option<&Engine>,
) -> Result<Vec<Result<Summary, RunError>>, Failed> {
    let (Some(engine), Some(first)) = (engine, members.first()) else {
        return Ok(Vec::new());
    };
    let watched = first.session.watch(engine);
    let limit = runner.project.config.run.publish_attempts.max(1);
    let mut last = String::new();
    for attempt in 1..=limit {
        let started = Instant::now();
        let stop = members[0].session.stop;
        let cancelled = || stop.is_asked();
        let place = members[0].session.place(&members[0].write).map_err(of(0))?;
        let guard = Publishing::wait(runner.locks, engine, place, &cancelled).map_err(of(0))?;
        let lock_ms = elapsed_ms(started);
        for (at, Member { session, .. }) in members.iter_mut().enumerate() {
            session.attempts = attempt;
            session.timings.lock_ms += lock_ms;
            let is_running = runner.state.is_running(&session.context.job);
            if !is_running.map_err(of(at))? {
                return Err(of(at)(RunError::GivenUp));
            }
        }
        let plans = plans(members, engine)?;
        let started = Instant::now();
        let published = if members[0].session.unsure.is_some() {
            find_commit(members, engine, false)?
        } else {
            write_all(members, &plans, engine)?
        };
        let publish_ms = elapsed_ms(started);
        match published {
            Published::Done(snapshot) => {
                let mut counted = Vec::with_capacity(members.len());
                for Member {
                    session,
                    write,
                    counts,
                    before,
                    ..
                } in members.iter_mut()
                {
                    session.timings.publish_ms += publish_ms;
                    let committed = counts.committed(snapshot, counts.expected(write, *before));
                    session.committed = Some(committed);
                    counted.push(session.count(engine, write, committed));
                }
                drop(guard);
                let members = members.iter_mut().zip(&plans).zip(counted);
                let results = members.map(|((member, plan), counted)| {
                    counted?;
                    let Member { session, write, .. } = member;
                    if session.context.publish == PublishMode::CommitThenTest {
                        test(session, engine, write, plan, true)?;
                    }
                    Ok(session.summary(plan))
                });
                let results = results.collect();
                drop(watched);
                return Ok(results);
            }
            Published::Again(reason) => {
                drop(guard);
                tracing::warn!(attempt, %reason, "publish again");
                last = reason;
                std::thread::sleep(backoff(attempt));
                members[0].session.stop_if_cancelled().map_err(of(0))?;
            }
        }
    }
    Err(of(0)(RunError::Conflict {
        table: members[0].write.target.asset_path.clone(),
        attempts: limit,
        last,
    }))
}

/// The plan of each: the first by the table as it is, the others by what the first makes of it.
fn plans(members: &mut [Member<'_>], engine: &Engine) -> Result<Vec<Plan>, Failed> {
    let mut plans: Vec<Plan> = Vec::with_capacity(members.len());
    for (at, member) in members.iter_mut().enumerate() {
        let failed = of::<RunError>(at);
        let Member { session, write, .. } = member;
        session.look_at_target(engine, write).map_err(&failed)?;
        if let Some(first) = plans.first() {
            let partition = &session.request.script.header.partition;
            session.observed.target = TargetShape::Table {
                columns: first.columns.clone(),
                partitioned_by: vec![PARTITION_COLUMN.to_owned()],
                cut_by: partition.as_ref().map(|line| cut_by(&line.value)),
            };
        }
        let plan = session.plan().map_err(&failed)?;
        // What one slice makes of the columns would be planned by what another had made of them before.
        if at > 0 && plan.publish.iter().any(makes_shape) {
            return Err(failed(RunError::NotTogether(
                "a slice changes the columns of the table that another one has just given it",
            )));
        }
        // A plan that was made anew may bring further guards for the rows that are staged already.
        if plan.stage != member.stage {
            session.show_staged(engine, &staged()).map_err(&failed)?;
            session.stage(engine, &plan).map_err(&failed)?;
            member.stage.clone_from(&plan.stage);
        }
        plans.push(plan);
    }
    Ok(plans)
}

/// One transaction for all. Whatever goes wrong in it ends in a ROLLBACK.
fn write_all(
    members: &mut [Member<'_>],
    plans: &[Plan],
    engine: &Engine,
) -> Result<Published, Failed> {
    let mut changes_shape = false;
    for (at, (member, plan)) in members.iter_mut().zip(plans).enumerate() {
        member.counts = Counts::default();
        let statements = plan.publish.iter().filter(|statement| match statement {
            Statement::Begin => at == 0,
            statement => !ends(statement),
        });
        let mut is_shown = false;
        for statement in statements {
            changes_shape |= makes_shape(statement);
            let Member {
                session,
                write,
                counts,
                before,
                ..
            } = member;
            let show = |session: &Session<'_>| {
                session.show_staged(engine, &staged())?;
                session.rows_before(engine, write)
            };
            let mut result = Ok(());
            if !is_shown && !matches!(statement, Statement::Begin) {
                is_shown = true;
                result = show(session).map(|rows| *before = rows);
            }
            let result =
                result.and_then(|()| session.step(engine, statement, "publishing", counts));
            if let Err(error) = result {
                return match session.undo(engine, write, error, statement, false, *counts) {
                    Ok(Attempt::Again(reason)) => Ok(Published::Again(reason)),
                    Ok(Attempt::Done(committed)) => Ok(Published::Done(committed.snapshot)),
                    Err(error) => Err(of(at)(error)),
                };
            }
        }
    }
    for (at, (Member { session, write, .. }, plan)) in members.iter_mut().zip(plans).enumerate() {
        if session.context.publish == PublishMode::WriteAuditPublish
            && let Err(error) = test(session, engine, write, plan, false)
        {
            let _ = engine.run(&question::rollback());
            return Err(of(at)(error));
        }
    }
    commit(members, &plans[0], engine, changes_shape)
}

/// Whether a statement ends the transaction of its plan.
fn ends(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::CommitMessage { .. } | Statement::Commit
    )
}

/// Commits with the message of the first plan, and the jobs of all.
fn commit(
    members: &mut [Member<'_>],
    plan: &Plan,
    engine: &Engine,
    changes_shape: bool,
) -> Result<Published, Failed> {
    let companions: Vec<Companion> = members
        .iter()
        .skip(1)
        .map(|Member { session, .. }| Companion {
            job: session.context.job.clone(),
            partition: session
                .request
                .partition
                .as_ref()
                .map(|slice| slice.value.clone()),
        })
        .collect();
    for statement in plan.publish.iter().filter(|statement| ends(statement)) {
        let at_commit = matches!(statement, Statement::Commit);
        if at_commit {
            // A connection that breaks now, or an interrupt that comes late, says nothing about the commit: the lake does.
            for Member {
                session, counts, ..
            } in members.iter_mut()
            {
                session.unsure = Some(*counts);
            }
        }
        let Member {
            session,
            write,
            counts,
            ..
        } = &mut members[0];
        let done = match statement {
            Statement::CommitMessage {
                catalog,
                author,
                message,
                extra,
            } => {
                let message = format!("{message} and {} more", companions.len());
                let extra = Committed::text(extra, &companions);
                let say = question::commit_message(catalog, author, &message, &extra);
                engine.run(&say).map(|_| ()).map_err(RunError::from)
            }
            other => session.execute(engine, other, "committing").map(|_| ()),
        };
        if let Err(error) = done {
            let undone = session.undo(engine, write, error, statement, at_commit, *counts);
            if session.unsure.is_none() {
                is_known(members);
            }
            return match undone {
                Ok(Attempt::Again(reason)) => Ok(Published::Again(reason)),
                Ok(Attempt::Done(committed)) => Ok(Published::Done(committed.snapshot)),
                Err(error) => Err(of(0)(error)),
            };
        }
    }
    let wrote_nothing = members.iter().all(|member| member.counts.is_nothing());
    find_commit(members, engine, wrote_nothing && !changes_shape)
}

/// Whether the commit, whose end may not have been seen, is in the lake.
fn find_commit(
    members: &mut [Member<'_>],
    engine: &Engine,
    may_be_absent: bool,
) -> Result<Published, Failed> {
    let Member { session, write, .. } = &members[0];
    let alias = &write.target.table_ref.catalog;
    let found = lake::committed_by(engine, alias, &session.context.job);
    let found = found.map_err(of(0))?;
    is_known(members);
    Ok(match found {
        Some(snapshot) => Published::Done(Some(snapshot)),
        // A transaction that changed nothing makes no snapshot.
        None if may_be_absent => Published::Done(None),
        None => Published::Again("the commit is not among the lake's snapshots".to_owned()),
    })
}

/// How the last commit ended has been seen.
fn is_known(members: &mut [Member<'_>]) {
    for Member { session, .. } in members {
        session.unsure = None;
    }
}
