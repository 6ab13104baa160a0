//! A project with a lake, and one warm engine for all its runs.

use std::sync::Arc;

use executor_native::config::{Project, ScriptFile};
use executor_native::engine::Engine;
use executor_native::engine::question::{self, At};
use executor_native::lake::PublishLocks;
use executor_native::run::{Cancel, Request, Runner, Summary, Work, resolve_slice};
use executor_native::state::{self, Owner, Owners, StateStore};
use parser_core::plan::TARGET_ALIAS;
use parser_core::plan::sql::{Ident, TableRef};
use proptest::test_runner::TestCaseError;

/// Tables of one lake. Each makes the catalog a little slower, a new lake costs as much as a few runs.
const TABLES_PER_LAKE: u32 = 20;
/// More than any test needs.
const LAKES: u32 = 100;

pub(crate) struct World {
    project: Project,
    state: Arc<dyn StateStore>,
    owner: Owner,
    locks: PublishLocks,
    cancel: Cancel,
    engine: Option<Engine>,
    table: u32,
    /// The lake's newest snapshot.
    snapshot: i64,
    _folder: tempfile::TempDir,
}

/// A row: each column's text, `None` is NULL.
pub(crate) type Row = Vec<Option<String>>;

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // A catalog in a DuckDB file is the fastest, one in SQLite what lakes have that nobody declared.
        let mut config = "[engine]\nthreads = 1\n".to_owned();
        for lake in 0..LAKES {
            let kind = if lake % 5 == 4 { "sqlite" } else { "duckdb" };
            config += &format!("[lakes.lake{lake}]\ncatalog = \"{kind}:lake{lake}.db\"\n");
        }
        std::fs::write(folder.path().join("lakemill.toml"), config).unwrap();
        let project = Project::open(Some(folder.path())).unwrap();
        let home = project.ensure_home().unwrap();
        Self {
            state: state::open(&project.state().unwrap()).unwrap(),
            owner: Owners::new(&home).register().unwrap(),
            locks: PublishLocks::new(&home),
            cancel: Cancel::default(),
            engine: None,
            table: 0,
            snapshot: 0,
            project,
            _folder: folder,
        }
    }

    /// The next sequence has a table of its own.
    pub(crate) fn next_table(&mut self) {
        self.table += 1;
        if self.table.is_multiple_of(TABLES_PER_LAKE) {
            self.snapshot = 0;
        }
    }

    fn lake(&self) -> String {
        format!("lake{}", self.table / TABLES_PER_LAKE)
    }

    fn target(&self, suffix: &str) -> TableRef {
        TableRef {
            catalog: Ident::new(TARGET_ALIAS),
            schema: Ident::new("main"),
            table: Ident::new(format!("t{}{suffix}", self.table)),
        }
    }

    /// The `materialize` line's start.
    pub(crate) fn materialize(&self) -> String {
        format!("-- materialize ducklake://{}/t{}", self.lake(), self.table)
    }

    /// Runs a script. A run that changes something is the lake's next snapshot, one that does not is none.
    pub(crate) fn run(
        &mut self,
        text: &str,
        partition: Option<&str>,
    ) -> Result<Result<Summary, String>, TestCaseError> {
        self.work(text, partition, Work::Run)
    }

    /// Rebuilds a script's table, as [`Self::run`] runs it.
    pub(crate) fn rebuild(
        &mut self,
        text: &str,
        by: &str,
    ) -> Result<Result<Summary, String>, TestCaseError> {
        let by = Some(by.to_owned());
        self.work(text, None, Work::Rebuild { by })
    }

    fn work(
        &mut self,
        text: &str,
        partition: Option<&str>,
        work: Work,
    ) -> Result<Result<Summary, String>, TestCaseError> {
        let file = ScriptFile {
            path: self.project.root.join("t.sql"),
            name: "t.sql".to_owned(),
            text: text.to_owned(),
        };
        let script = parser_core::parse(text).script;
        let runner = Runner {
            project: &self.project,
            state: self.state.as_ref(),
            owner: &self.owner,
            locks: &self.locks,
            cancel: &self.cancel,
        };
        let request = Request {
            file: &file,
            script: &script,
            partition: match &work {
                Work::Run => resolve_slice(&script, partition, jiff::Timestamp::now()).unwrap(),
                Work::Rebuild { .. } => None,
            },
            trigger: "test",
            parent: None,
            work,
        };
        let summary = match runner.run(&request, &mut self.engine) {
            Ok(summary) => summary,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let next = summary.changed.then_some(self.snapshot + 1);
        self.snapshot = summary.snapshot_id.unwrap_or(self.snapshot);
        crate::same("the run's snapshot", &summary.snapshot_id, &next)?;
        Ok(Ok(summary))
    }

    /// Rows of the table, or of the view beside it, with these columns, in the order of their texts.
    pub(crate) fn rows(&self, suffix: &str, columns: &[&str]) -> Vec<Row> {
        let engine = self.engine.as_ref().unwrap();
        let question = question::preview(&self.target(suffix), &At::Now, 1_000_000);
        let table = engine.query(&question).unwrap();
        let places: Vec<usize> = columns
            .iter()
            .map(|name| {
                table
                    .columns
                    .iter()
                    .position(|known| known == name)
                    .unwrap()
            })
            .collect();
        assert_eq!(places.len(), table.columns.len(), "{:?}", table.columns);
        let mut rows: Vec<Row> = table
            .rows
            .iter()
            .map(|row| places.iter().map(|&at| row.optional_text(at)).collect())
            .collect();
        rows.sort();
        rows
    }
}
