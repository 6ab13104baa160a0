//! One run on one engine, up to the publish.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use duckdb::InterruptHandle;
use parser_core::plan::sql::{Column, TableRef};
use parser_core::plan::{
    Catalog, ManagedWrite, Observed, Plan, Preparation, RunContext, Statement, Strategy,
    TargetShape,
};
use parser_core::render::render;
use parser_core::source::Span;

use super::cancel::Stop;
use super::publish::{Counts, backoff};
use super::setup::{leaves_attachments, set_up};
use super::target::{describe_rows, observe};
use super::{DriftReport, Left, Request, RunError, Runner, Stopped, Summary, Timings};
use super::{data_tests, layout};
use crate::config::ConfigError;
use crate::engine::{
    Attachment, Class, Command, Engine, EngineError, Outside, Settings, Table, confinement,
    question,
};
use crate::lake;
use crate::state::{End, Leaves, Status};
use crate::verify::{self, TestOutcome};

/// The state of one run.
pub(super) struct Session<'a> {
    pub(super) runner: &'a Runner<'a>,
    pub(super) request: &'a Request<'a>,
    pub(super) context: &'a RunContext,
    pub(super) preparation: Preparation,
    pub(super) observed: Observed,
    pub(super) timings: Timings,
    pub(super) upstream: BTreeMap<String, i64>,
    pub(super) warnings: Vec<String>,
    pub(super) attempts: u32,
    is_staged: bool,
    /// Where the rows are staged when other sessions are to see them, too; else in a temp table.
    aside: Option<TableRef>,
    /// Those before the script changed some, until they are restored.
    settings: Option<Settings>,
    /// The lake's newest snapshot when the target was looked at last: while it is, the target looks the same.
    seen: Option<i64>,
    /// The run's snapshot once it stands, even when a data test then fails the run.
    pub(super) committed: Option<Committed>,
    /// What a commit did of which it is not known whether it came to stand: the lake did not answer since.
    pub(super) unsure: Option<Counts>,
    /// The slices that a rebuild left, with the rows of each.
    pub(super) rebuilt: Option<Vec<(String, i64)>>,
    pub(super) outcomes: Vec<TestOutcome>,
    /// Those that data tests name.
    pub(super) scripts: verify::Scripts,
    has_icu: bool,
    pub(super) stop: &'a Stop<'a>,
}

/// What a successful commit did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Committed {
    pub(super) snapshot: Option<i64>,
    pub(super) rows: Option<i64>,
    pub(super) inserted: i64,
    pub(super) deleted: i64,
    /// Versions of a history that ended; `None` for other strategies.
    pub(super) closed: Option<i64>,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        runner: &'a Runner<'a>,
        request: &'a Request<'a>,
        context: &'a RunContext,
        preparation: Preparation,
        stop: &'a Stop<'a>,
    ) -> Self {
        Self {
            runner,
            request,
            context,
            preparation,
            observed: Observed::default(),
            timings: Timings::default(),
            upstream: BTreeMap::new(),
            warnings: Vec::new(),
            attempts: 0,
            is_staged: false,
            aside: None,
            settings: None,
            seen: None,
            committed: None,
            unsure: None,
            rebuilt: None,
            outcomes: Vec::new(),
            scripts: verify::Scripts::default(),
            has_icu: false,
            stop,
        }
    }

    /// Output columns of the script; `None` when it writes itself, or nothing of it was run.
    pub(super) fn columns(&self) -> Option<Vec<Column>> {
        self.preparation
            .write
            .as_ref()
            .filter(|write| write.strategy != Strategy::Rebuild)
            .map(|_| self.observed.output.clone())
    }

    /// What its commit left of the records of slices.
    pub(super) fn leaves(&self) -> Leaves {
        let is_made = matches!(self.observed.target, TargetShape::Absent);
        match &self.rebuilt {
            Some(slices) => Leaves::Only(slices.clone()),
            None if is_made || self.request.partition.is_none() => Leaves::Own,
            None => Leaves::All,
        }
    }

    /// How a failed run is recorded.
    pub(super) fn failed(&self, error: &RunError) -> End {
        let status = if matches!(error, RunError::Cancelled(_)) {
            Status::Cancelled
        } else {
            Status::Failed
        };
        let end = End {
            timings: serde_json::to_value(self.timings).ok(),
            upstream_snapshots: serde_json::to_value(&self.upstream).ok(),
            data_tests: (!self.outcomes.is_empty()).then(|| verify::record(&self.outcomes)),
            ..End::without_commit(status, crate::config::mask(&error.to_string()))
        };
        match self.committed {
            None => end,
            Some(committed) => End {
                snapshot: committed.snapshot,
                changed: Some(true),
                rows: committed.rows,
                inserted: Some(committed.inserted),
                deleted: Some(committed.deleted),
                leaves: self.leaves(),
                ..end
            },
        }
    }

    /// An error with what is known here about it.
    pub(super) fn told(&self, error: RunError) -> RunError {
        let RunError::Cancelled(_) = error else {
            return error;
        };
        let has_snapshot = self.committed.is_some_and(|done| done.snapshot.is_some());
        RunError::Cancelled(Stopped {
            timed_out: self.stop.timed_out(),
            left: match self.preparation.write {
                None => Left::OwnWrites,
                Some(_) if has_snapshot => Left::Snapshot,
                Some(_) => Left::Nothing,
            },
        })
    }

    /// Whether its commit was found in the lake.
    pub(super) const fn is_committed(&self) -> bool {
        self.committed.is_some()
    }

    pub(super) fn run(&mut self, slot: &mut Option<Engine>) -> Result<Summary, RunError> {
        let (engine, watched) = self.open_engine(slot)?;
        let plan = match self.preparation.write.clone() {
            Some(write) => self.write(engine, &write)?,
            None => self.plan()?,
        };
        drop(watched);
        Ok(self.summary(&plan))
    }

    /// Goes as far as to stage the rows in `aside`, a table that other sessions of the engine see.
    pub(super) fn stage_aside(
        &mut self,
        write: &ManagedWrite,
        aside: TableRef,
        slot: &mut Option<Engine>,
    ) -> Result<Plan, RunError> {
        self.aside = Some(aside);
        let (engine, watched) = self.open_engine(slot)?;
        let plan = self.look(engine, write)?;
        self.stage(engine, &plan)?;
        drop(watched);
        Ok(plan)
    }

    /// An engine with the lakes attached and the script's setup run, and what reaches it for as long as it is held.
    fn open_engine<'e>(
        &mut self,
        slot: &'e mut Option<Engine>,
    ) -> Result<(&'e Engine, Arc<InterruptHandle>), RunError> {
        let started = Instant::now();
        self.stop_if_cancelled()?;
        let project = self.runner.project;
        let outside = Outside::of(
            project,
            self.request.script,
            &self.request.file.text,
            &self.context.lakes,
        )?;
        let needs = &outside.needs;
        let engine = match slot.take().filter(Engine::can_renew) {
            Some(mut engine) => {
                engine.renew(needs, &self.lakes())?;
                engine
            }
            None => Engine::open(&project.config.engine, &project.root, needs)?,
        };
        let engine = slot.insert(engine);
        let watched = self.watch(engine);
        self.has_icu = engine.has_icu;
        outside.admit(engine)?;
        self.attach(engine)?;
        self.timings.open_ms = elapsed_ms(started);

        let started = Instant::now();
        {
            let _span = tracing::debug_span!("setup").entered();
            for folder in &self.preparation.folders {
                make_folder(Path::new(folder))?;
            }
            let allowed = project.allowed_directories(&self.context.lakes)?;
            let (script, setup) = (self.request.script, &self.preparation.setup);
            self.settings = set_up(
                engine,
                script,
                setup,
                allowed.as_deref(),
                |engine, of_it| self.open(engine, of_it, "preparing the session"),
            )?;
            engine.keep(self.lakes());
        }
        self.timings.setup_ms = elapsed_ms(started);
        Ok((engine, watched))
    }

    fn write(&mut self, engine: &Engine, write: &ManagedWrite) -> Result<Plan, RunError> {
        let plan = self.look(engine, write)?;
        self.stage(engine, &plan)?;
        let plan = self.publish(engine, write, plan)?;
        for statement in &plan.finish {
            // The rows are in the lake: what cannot be tidied goes with the session.
            let _ = self.execute(engine, statement, "tidying");
        }
        Ok(plan)
    }

    /// The plan, by what the SELECT gives and the table is.
    fn look(&mut self, engine: &Engine, write: &ManagedWrite) -> Result<Plan, RunError> {
        let started = Instant::now();
        self.note_upstream(engine)?;
        for statement in &write.inspect {
            if let Statement::DescribeOutput(_) = statement {
                let table = self.query(engine, statement, "reading the SELECT's columns")?;
                self.observed.output = describe_rows(&table)?;
            }
        }
        // Only the SELECT has the script's settings.
        let of_script = match &self.settings {
            Some(before) => {
                let changed = engine.settings()?;
                engine.restore(before)?;
                Some(changed)
            }
            None => None,
        };
        self.look_at_target(engine, write)?;
        let plan = self.plan()?;
        let remark = layout::before_start(engine, write, self.request.script, &plan)?;
        self.warnings.extend(remark);
        self.check_tests(engine, &plan)?;
        if let Some(settings) = of_script {
            engine.restore(&settings)?;
        }
        self.timings.inspect_ms = elapsed_ms(started);
        Ok(plan)
    }

    /// The attachments that may serve later sessions, too.
    fn lakes(&self) -> Vec<Attachment> {
        let aside = self.aside.as_ref();
        let shared = aside.map(|table| Attachment::in_memory(&table.catalog));
        if !leaves_attachments(self.request.script) {
            return shared.into_iter().collect();
        }
        let Preparation { open, setup, .. } = &self.preparation;
        let lakes = open.iter().chain(setup).filter_map(Attachment::of);
        lakes.chain(shared).collect()
    }

    pub(super) fn watch(&self, engine: &Engine) -> Arc<InterruptHandle> {
        let handle = engine.interrupt_handle();
        self.runner.cancel.watch(&handle);
        handle
    }

    fn attach(&self, engine: &Engine) -> Result<(), RunError> {
        let _span = tracing::debug_span!("attach").entered();
        if let Some(write) = &self.preparation.write {
            let script = self.request.script;
            data_tests::refuse_missing_lakes(script, self.context, &write.target.lake)?;
        }
        if let Some(TableRef { catalog, .. }) = &self.aside
            && !engine.has_kept(&Attachment::in_memory(catalog))
        {
            engine.run(&question::attach_memory(catalog))?;
        }
        let home = self.runner.project.ensure_home()?;
        for (name, source) in self.context.lakes.iter() {
            lake::prepare(engine, name, source, &home)?;
        }
        for statement in &self.preparation.open {
            self.open(engine, statement, "opening the lakes")?;
        }
        Ok(())
    }

    /// Runs a statement that may attach a lake, unless an earlier session did.
    ///
    /// The first attachment makes the catalog's tables. On a server several processes may try at once: all but one are
    /// refused once that one has committed, and find the tables when they come again.
    fn open(
        &self,
        engine: &Engine,
        statement: &Statement,
        stage: &'static str,
    ) -> Result<(), RunError> {
        const ATTEMPTS: u32 = 4;
        if Attachment::of(statement).is_some_and(|lake| engine.has_kept(&lake)) {
            return Ok(());
        }
        let on_server = matches!(
            statement,
            Statement::AttachLake { source, .. } if matches!(source.catalog, Catalog::Postgres { .. })
        );
        let mut attempt = 1;
        loop {
            match self.execute(engine, statement, stage) {
                Err(RunError::Generated { fault, .. }) if on_server && attempt < ATTEMPTS => {
                    tracing::debug!(attempt, reason = %fault, "attach again");
                    std::thread::sleep(backoff(attempt));
                    attempt += 1;
                }
                result => return result.map(|_| ()),
            }
        }
    }

    /// The newest snapshot of each lake that the script itself attached, after its setup.
    fn note_upstream(&mut self, engine: &Engine) -> Result<(), RunError> {
        self.stop_if_cancelled()?;
        for statement in &self.preparation.setup {
            if let Statement::AttachLake { lake, alias, .. } = statement
                && !self.upstream.contains_key(lake)
                // A later DETACH of the script may have taken it away again: then it is no input.
                && let Ok(snapshot) = lake::latest(engine, alias)
            {
                self.upstream.insert(lake.clone(), snapshot);
            }
        }
        Ok(())
    }

    /// Reads the target's shape and, for a slice, whether it holds rows.
    pub(super) fn look_at_target(
        &mut self,
        engine: &Engine,
        write: &ManagedWrite,
    ) -> Result<(), RunError> {
        // Read first: what is committed while this looks is then noticed the next time.
        let newest = lake::latest(engine, &write.target.table_ref.catalog)?;
        if self.seen == Some(newest) {
            return Ok(());
        }
        self.seen = Some(newest);
        let slice = self.request.partition.as_ref();
        let (script, work) = (self.request.script, &self.request.work);
        observe(engine, write, slice, &mut self.observed)?;
        layout::look(engine, write, script, work, &mut self.observed)?;
        Ok(())
    }

    pub(super) fn plan(&self) -> Result<Plan, RunError> {
        Ok(self.request.work.build(
            self.preparation.clone(),
            &self.request.file.text,
            self.request.script,
            self.context,
            &self.observed,
        )?)
    }

    /// Evaluates the SELECT, where its rows are needed more than once. Once per run, whatever the publish meets.
    pub(super) fn stage(&mut self, engine: &Engine, plan: &Plan) -> Result<(), RunError> {
        if plan.stage.is_empty() {
            return Ok(());
        }
        let _span = tracing::debug_span!("stage").entered();
        let started = Instant::now();
        let mut counts = Counts::default();
        for statement in &plan.stage {
            // A plan that was made anew may bring further guards for the rows that are staged already.
            let evaluates = matches!(statement, Statement::Stage { .. });
            match (statement, &self.aside) {
                (Statement::Stage { .. }, _) if self.is_staged => {}
                (Statement::Stage { into, query }, Some(aside)) => {
                    let (view, into, query) = (into.clone(), aside.clone(), query.clone());
                    let apart = Statement::Stage { into, query };
                    self.step(engine, &apart, "evaluating the SELECT", &mut counts)?;
                    self.show_staged(engine, &view)?;
                }
                _ => self.step(engine, statement, "evaluating the SELECT", &mut counts)?,
            }
            self.is_staged |= evaluates;
            // What follows is none of the script's: its settings have no part in it.
            if evaluates && let Some(settings) = self.settings.take() {
                engine.restore(&settings)?;
            }
        }
        self.timings.stage_ms += elapsed_ms(started);
        Ok(())
    }

    /// Lets the session of `engine` see, as `view`, the rows that are staged aside.
    pub(super) fn show_staged(&self, engine: &Engine, view: &TableRef) -> Result<(), RunError> {
        if let Some(aside) = &self.aside {
            engine.run(&question::stand_in(view, aside))?;
        }
        Ok(())
    }

    /// Runs a statement; gives the number of rows it changed.
    pub(super) fn execute(
        &self,
        engine: &Engine,
        statement: &Statement,
        stage: &'static str,
    ) -> Result<u64, RunError> {
        self.send(engine, statement, stage, |command| engine.run(command))
    }

    /// Runs a statement; gives its rows.
    pub(super) fn query(
        &self,
        engine: &Engine,
        statement: &Statement,
        stage: &'static str,
    ) -> Result<Table, RunError> {
        self.send(engine, statement, stage, |command| engine.query(command))
    }

    /// Renders a statement and hands it to the engine; an error is told at the script's place.
    fn send<T>(
        &self,
        engine: &Engine,
        statement: &Statement,
        stage: &'static str,
        send: impl FnOnce(&Command) -> Result<T, EngineError>,
    ) -> Result<T, RunError> {
        self.stop_if_cancelled()?;
        let command = Command::from(render(statement));
        let result = self
            .stop
            .limit(engine.interrupt_handle(), || send(&command));
        result.map_err(|error| {
            explain(
                error,
                statement,
                &command,
                stage,
                &self.request.file.text,
                self.has_icu,
            )
        })
    }

    pub(super) fn stop_if_cancelled(&self) -> Result<(), RunError> {
        if self.stop.is_asked() {
            return Err(RunError::Cancelled(Stopped::default()));
        }
        Ok(())
    }

    pub(super) fn summary(&self, plan: &Plan) -> Summary {
        let committed = self.committed;
        let strategy = strategy_of(&self.preparation);
        let mut warnings = plan.warnings.clone();
        warnings.extend(self.warnings.iter().cloned());
        Summary {
            materialized: self
                .request
                .script
                .header
                .materialize
                .as_ref()
                .map(|line| line.value.asset.value.to_string()),
            partition: self
                .request
                .partition
                .as_ref()
                .map(|slice| slice.value.clone()),
            strategy: strategy.as_str(),
            job: self.context.job.clone(),
            rows: committed.and_then(|committed| committed.rows),
            snapshot_id: committed.and_then(|committed| committed.snapshot),
            changed: committed.is_none_or(|committed| committed.snapshot.is_some()),
            rows_inserted: committed.map_or(0, |committed| committed.inserted),
            rows_deleted: committed.map_or(0, |committed| committed.deleted),
            versions_closed: committed.and_then(|committed| committed.closed),
            output_schema: self.observed.output.iter().map(Into::into).collect(),
            schema_drift: DriftReport::of(plan),
            data_tests: self.outcomes.clone(),
            upstream_snapshots: self.upstream.clone(),
            warnings,
            publish_attempts: self.attempts,
            timings: self.timings,
        }
    }
}

/// A folder of the default storage: on S3 a key needs none.
fn make_folder(folder: &Path) -> Result<(), ConfigError> {
    std::fs::create_dir_all(folder).map_err(|source| ConfigError::File {
        path: folder.to_path_buf(),
        source,
    })
}

/// The strategy of a script; one that writes itself is `manual`.
pub(super) fn strategy_of(preparation: &Preparation) -> Strategy {
    preparation
        .write
        .as_ref()
        .map_or(Strategy::Manual, |write| write.strategy.clone())
}

/// Milliseconds since `started`.
pub(super) fn elapsed_ms(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// A statement without a position in it is shown by its first line.
fn first_line(span: Span, text: &str) -> Span {
    let length = span.slice(text).find(['\n', '\r']).unwrap_or(span.len());
    Span::new(span.start, span.start + length)
}

/// Turns an engine error into one at the user's line and column, when the statement holds SQL of the script.
pub(super) fn explain(
    error: EngineError,
    statement: &Statement,
    command: &Command,
    stage: &'static str,
    text: &str,
    has_icu: bool,
) -> RunError {
    let fault = match error {
        EngineError::Interrupted => return RunError::Cancelled(Stopped::default()),
        EngineError::Open(_) | EngineError::Extension { .. } | EngineError::Shape(_) => {
            return RunError::Engine(error);
        }
        EngineError::Statement(fault) => fault,
    };
    // A conflict is no fault of the script, wherever it is met.
    let Some(user) = statement
        .user_span()
        .filter(|_| fault.class != Class::Transaction)
    else {
        return RunError::Generated { stage, fault };
    };
    let span = fault
        .position
        .and_then(|position| command.to_source(position))
        .map_or_else(|| first_line(user, text), Span::at);
    RunError::Script {
        hint: hint(&fault.message, fault.class, has_icu),
        message: fault.message,
        span,
    }
}

/// Advice; the only thing here that looks at an engine's words, and nothing is decided by it.
fn hint(message: &str, class: Class, has_icu: bool) -> Option<String> {
    if class == Class::Permission || message.contains("the configuration has been locked") {
        return Some(format!(
            "{}: folders that scripts may use stand in `allowed_directories`",
            confinement::SETTING
        ));
    }
    if !has_icu && (message.contains("ICU") || message.contains("TIMESTAMP WITH TIME ZONE")) {
        return Some(
            "time zone functions need the engine's ICU extension: run `lakemill doctor --install-extensions`".to_owned(),
        );
    }
    if message.contains("URL needs to contain a bucket name") {
        return Some(
            "`s3:///key` means the default storage where a statement names a file by it: in FROM, in `read_parquet(…)` and \
             the like, in COPY. A path that is computed needs its bucket"
                .to_owned(),
        );
    }
    (class == Class::Catalog && message.contains("Table with name")).then(|| {
        "attach the lake that holds the table (`ATTACH 'ducklake://NAME' AS x;`) and read `x.table`; \
         a table that no script has materialised yet is not there"
            .to_owned()
    })
}
