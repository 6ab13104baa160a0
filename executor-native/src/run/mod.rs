//! A run of one script for one slice: open, setup, stage, lock, inspect, publish, verify, record.

mod audit;
mod cancel;
mod cause;
mod data_tests;
mod failure;
mod layout;
mod preview;
mod publish;
mod session;
mod setup;
mod slice;
mod summary;
mod target;
mod together;

use std::time::Instant;

use parser_core::Script;
use parser_core::partition::Slice;
use parser_core::plan::{
    self, Observed, Plan, PlanError, Preparation, PublishMode, RunContext, Staging,
};

pub use audit::Audit;
use cancel::Stop;
pub use cancel::{Cancel, TimedOut};
pub use failure::{Left, RunError, Stopped};
pub use preview::{Group, explain, groups};
pub use setup::leaves_engine_clean;
pub use slice::{SliceError, SystemZones, resolve as resolve_slice};
pub use summary::{DriftReport, Summary, Timings};
pub use target::observe;

use crate::config::{Project, ScriptFile};
use crate::engine::Engine;
use crate::lake::PublishLocks;
use crate::state::{AssetKey, Begin, End, Owner, StateStore, Status, now_ms};
use crate::verify;

/// In place of a job's id, where nothing is run.
pub const NO_JOB: &str = "00000000-0000-0000-0000-000000000000";

/// What to run.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The script.
    pub file: &'a ScriptFile,
    /// The same, parsed.
    pub script: &'a Script,
    /// The slice; `None` when unpartitioned.
    pub partition: Option<Slice>,
    /// What started it: `manual`, …
    pub trigger: &'a str,
    /// The run it belongs to.
    pub parent: Option<String>,
    /// What is done with the table.
    pub work: Work,
}

/// What is done with a script's table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Work {
    /// What the script says.
    #[default]
    Run,
    /// Its rows are written again in the layout that the script says.
    Rebuild {
        /// The column whose values tell the slices of rows, if that is not the script's `wm_partition(column)`.
        by: Option<String>,
    },
}

impl Work {
    fn prepare(
        &self,
        text: &str,
        script: &Script,
        context: &RunContext,
    ) -> Result<Preparation, PlanError> {
        match self {
            Self::Run => plan::prepare(text, script, context),
            Self::Rebuild { .. } => plan::prepare_rebuild(script, context),
        }
    }

    fn build(
        &self,
        preparation: Preparation,
        text: &str,
        script: &Script,
        context: &RunContext,
        observed: &Observed,
    ) -> Result<Plan, PlanError> {
        match self {
            Self::Run => {
                plan::refuse_foreign_slices(&preparation, script, observed)?;
                plan::build(preparation, script, context, observed)
            }
            Self::Rebuild { by } => {
                plan::rebuild(preparation, text, script, context, observed, by.as_deref())
            }
        }
    }
}

/// A run that has been prepared.
struct Begun {
    context: RunContext,
    preparation: Preparation,
}

/// What runs are made with. One per process.
pub struct Runner<'a> {
    /// The project.
    pub project: &'a Project,
    /// Where runs are recorded.
    pub state: &'a dyn StateStore,
    /// This process.
    pub owner: &'a Owner,
    /// Publish locks.
    pub locks: &'a PublishLocks,
    /// Ctrl-C and the like.
    pub cancel: &'a Cancel,
}

impl Runner<'_> {
    /// Runs one script for one slice and records it.
    ///
    /// `engine` may hold the engine of the last slice of the *same* script, or of a script that
    /// [`leaves_engine_clean`]; it is used again after a renewal, and is left there for the next.
    ///
    /// # Errors
    /// [`RunError`]; whatever it is, it has been recorded, unless the state store itself failed.
    pub fn run(
        &self,
        request: &Request<'_>,
        engine: &mut Option<Engine>,
    ) -> Result<Summary, RunError> {
        let job = uuid::Uuid::now_v7().to_string();
        let span = tracing::info_span!("run", script = %request.file.name, job = %job,
            partition = request.partition.as_ref().map(|slice| slice.value.as_str()));
        let _entered = span.enter();

        let begun = self.prepare_as(request, job)?;
        self.begin(request, &begun)?;
        let started = Instant::now();
        let preparation = begun.preparation.clone();
        let stop = Stop::new(self.cancel, self.project.config.run.timeout.as_ref(), 1);
        let mut session = session::Session::new(self, request, &begun.context, preparation, &stop);
        let result = session.run(engine);
        tracing::debug!(elapsed_ms = started.elapsed().as_millis(), "settle");
        self.settle(&session, result, engine)
    }

    /// What a run knows before it begins.
    fn prepare(&self, request: &Request<'_>) -> Result<Begun, RunError> {
        self.prepare_as(request, uuid::Uuid::now_v7().to_string())
    }

    fn prepare_as(&self, request: &Request<'_>, job: String) -> Result<Begun, RunError> {
        let context = self.context(request, &job)?;
        let work = &request.work;
        let preparation = work.prepare(&request.file.text, request.script, &context)?;
        Ok(Begun {
            context,
            preparation,
        })
    }

    /// Records that a run begins.
    fn begin(&self, request: &Request<'_>, begun: &Begun) -> Result<(), RunError> {
        let Begun {
            context,
            preparation,
        } = begun;
        self.state.begin(
            &Begin {
                job: context.job.clone(),
                asset: asset_of(request),
                partition: request
                    .partition
                    .as_ref()
                    .map(|slice| slice.value.clone())
                    .unwrap_or_default(),
                script: request.file.name.clone(),
                content_hash: context.content_hash.clone(),
                strategy: session::strategy_of(preparation).as_str().to_owned(),
                trigger: request.trigger.to_owned(),
                parent: request.parent.clone(),
                tests_after_commit: preparation.write.is_some()
                    && !request.script.header.data_tests.is_empty()
                    && context.publish == PublishMode::CommitThenTest,
            },
            &self.owner.id,
            now_ms(),
        )?;
        Ok(())
    }

    /// Records how a run ended.
    fn settle(
        &self,
        session: &session::Session<'_>,
        result: Result<Summary, RunError>,
        engine: &mut Option<Engine>,
    ) -> Result<Summary, RunError> {
        let context = session.context;
        let result = result.map_err(|error| session.told(error));
        let result = result.map_err(|error| cause::with_cause(error, self.project, &context.lakes));
        // A run whose catalog went away behind its commit did not fail: what is left is to look at what it wrote.
        let is_cut_off = session.is_committed() && matches!(result, Err(RunError::Outside { .. }));
        if (session.unsure.is_some() || is_cut_off)
            && let Err(error) = result
        {
            // Only the lake knows: who settles will ask it.
            self.owner.leave_behind();
            *engine = None;
            return Err(RunError::Unsure(Box::new(error)));
        }
        let end = match &result {
            Ok(summary) => End {
                status: Status::Materialized,
                snapshot: summary.snapshot_id,
                changed: Some(summary.changed),
                rows: summary.rows,
                inserted: Some(summary.rows_inserted),
                deleted: Some(summary.rows_deleted),
                timings: serde_json::to_value(summary.timings).ok(),
                upstream_snapshots: serde_json::to_value(&summary.upstream_snapshots).ok(),
                data_tests: (!summary.data_tests.is_empty())
                    .then(|| verify::record(&summary.data_tests)),
                columns: session.columns(),
                error: None,
                leaves: session.leaves(),
            },
            Err(error) => {
                // A broken engine is not used for the next slice.
                *engine = None;
                session.failed(error)
            }
        };
        if let Err(error) = self.state.end(&context.job, &end, now_ms()) {
            // This process will not tell; that it is gone must be plain to those who settle.
            self.owner.leave_behind();
            tracing::warn!(%error, "the run was not settled");
            return match result {
                Ok(_) => Err(error.into()),
                // Both have one cause often: a server that stopped, a disk that is full. This one came first.
                Err(first) => Err(first),
            };
        }
        result
    }

    /// The context of a run.
    ///
    /// # Errors
    /// [`RunError::Config`]
    pub fn context(&self, request: &Request<'_>, job: &str) -> Result<RunContext, RunError> {
        context(
            self.project,
            request.file,
            request.script,
            request.partition.clone(),
            job,
        )
    }
}

/// What a run is recorded under: its target, or the script itself when that materialises nothing.
fn asset_of(request: &Request<'_>) -> AssetKey {
    match &request.script.header.materialize {
        Some(line) => AssetKey {
            kind: line.value.asset.value.kind.as_str().to_owned(),
            path: line.value.asset.value.path.clone(),
        },
        None => AssetKey {
            kind: "script".to_owned(),
            path: request.file.name.clone(),
        },
    }
}

/// The context that a plan of `script` is built for.
///
/// # Errors
/// [`RunError::Config`] for a lake that has no source.
pub fn context(
    project: &Project,
    file: &ScriptFile,
    script: &Script,
    partition: Option<Slice>,
    job: &str,
) -> Result<RunContext, RunError> {
    target::refuse_loophole(project, &file.text, script)?;
    let names = plan::lakes(script);
    Ok(RunContext {
        job: job.to_owned(),
        author: author(project),
        script_path: file.name.clone(),
        content_hash: hash(&file.text),
        lakes: project.lakes(names.iter().map(String::as_str))?,
        datatables: project.config.datatables.keys().cloned().collect(),
        storage: Some(project.storage_root()?),
        partition,
        publish: project.config.run.publish.into(),
        // What follows the SELECT has the settings back that the script changed.
        staging: if leaves_engine_clean(script) {
            Staging::WhereNeeded
        } else {
            Staging::Always
        },
    })
}

fn author(project: &Project) -> String {
    project
        .config
        .run
        .author
        .clone()
        .or_else(|| std::env::var("USER").ok())
        .or_else(|| std::env::var("USERNAME").ok())
        .unwrap_or_else(|| "lakemill".to_owned())
}

/// SHA-256 in hex.
#[must_use]
pub fn hash(text: &str) -> String {
    use sha2::{Digest, Sha256};
    use std::fmt::Write as _;
    Sha256::digest(text.as_bytes())
        .iter()
        .fold(String::with_capacity(64), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}
