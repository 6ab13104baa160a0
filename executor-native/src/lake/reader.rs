//! A lake opened for looking: history, preview, settling.

use std::time::{Duration, Instant};

use parser_core::body::Again;
use parser_core::plan::sql::{Column, Ident, TableRef};
use parser_core::plan::{Catalog, PARTITION_COLUMN, Statement};
use parser_core::render::render;

use super::storage::{exists_on_server, readable};
use super::{Cause, LakeError, Place, PublishLocks, Publishing, Snapshot, exists, snapshots};
use crate::config::Project;
use crate::engine::question::{self, At};
use crate::engine::{Command, Engine, EngineError, Outside, Row, Table, json};
use crate::scratch::Scratch;

/// An engine with one lake attached read-only.
pub struct LakeReader {
    engine: Engine,
    catalog: Ident,
    lake: String,
    is_on_server: bool,
    /// Of what the engine has open.
    _scratch: Scratch,
}

impl LakeReader {
    /// Opens `lake`.
    ///
    /// # Errors
    /// [`LakeError::Absent`] for a lake that nothing was written to.
    pub fn open(project: &Project, lake: &str) -> Result<Self, LakeError> {
        let source = project.lake(lake)?;
        if !exists(&source) {
            return Err(LakeError::Absent(lake.to_owned()));
        }
        let scratch = Scratch::default();
        let source = readable(&source, &scratch)?;
        let outside = Outside::of_lake(project, lake, &source)?;
        let engine = Engine::open(&project.config.engine, &project.root, &outside.needs)?;
        outside.admit(&engine)?;
        let catalog = Ident::new("lake");
        let attached = engine.run(&Command::from(render(&Statement::AttachLake {
            lake: lake.to_owned(),
            source: source.clone(),
            alias: catalog.clone(),
            read_only: true,
            options: None,
            again: Again::Refuse,
        })));
        if let Err(error) = attached {
            let connection = project.lake_connection(lake)?;
            let is_there = connection.map(|connection| exists_on_server(&engine, &connection));
            if let Some(Ok(false)) = is_there {
                return Err(LakeError::Absent(lake.to_owned()));
            }
            return Err(match Cause::of(project, lake, &source) {
                Some(cause) => LakeError::Outside {
                    error: Box::new(error),
                    cause,
                },
                None => error.into(),
            });
        }
        Ok(Self {
            engine,
            catalog,
            lake: lake.to_owned(),
            is_on_server: matches!(source.catalog, Catalog::Postgres { .. }),
            _scratch: scratch,
        })
    }

    /// How statements here name a table.
    #[must_use]
    pub fn table(&self, schema: &str, table: &str) -> TableRef {
        TableRef {
            catalog: self.catalog.clone(),
            schema: Ident::new(schema),
            table: Ident::new(table),
        }
    }

    /// Fails when there is no such table or view now.
    ///
    /// # Errors
    /// [`LakeError::NoTable`]
    pub fn require(&self, table: &TableRef) -> Result<(), LakeError> {
        if self
            .engine
            .query(&question::kind_of(table))?
            .rows
            .is_empty()
        {
            return Err(LakeError::NoTable(format!(
                "{}/{}",
                self.lake, table.table.0
            )));
        }
        Ok(())
    }

    /// Waits until nobody publishes into a table of the lake, and keeps everybody from it.
    ///
    /// # Errors
    /// As [`Publishing::wait`].
    pub fn wait_to_publish(
        &self,
        locks: &PublishLocks,
        place: Place<'_>,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Publishing, LakeError> {
        Publishing::wait(locks, &self.engine, place, cancelled)
    }

    /// Waits for commits that have begun: a server goes on with one whose sender is dead. Gives whether they are done.
    ///
    /// # Errors
    /// What the engine says.
    pub fn wait_for_commits(&self, longest: Duration) -> Result<bool, EngineError> {
        if !self.is_on_server {
            return Ok(true);
        }
        let question = question::commits_under_way(&self.catalog);
        let started = Instant::now();
        let mut waited_for = self.engine.texts(&question)?;
        while !waited_for.is_empty() {
            if started.elapsed() > longest {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(20));
            let now = self.engine.texts(&question)?;
            waited_for.retain(|transaction| now.contains(transaction));
        }
        Ok(true)
    }

    /// The snapshot that a job committed.
    ///
    /// # Errors
    /// What the engine says.
    pub fn committed_by(&self, job: &str) -> Result<Option<i64>, EngineError> {
        snapshots::committed_by(&self.engine, &self.catalog, job)
    }

    /// Every snapshot, newest first.
    ///
    /// # Errors
    /// What the engine says.
    pub fn snapshots(&self) -> Result<Vec<Snapshot>, EngineError> {
        snapshots::list(&self.engine, &self.catalog)
    }

    /// Rows of a table or slice at a snapshot.
    ///
    /// # Errors
    /// What the engine says.
    pub fn count(
        &self,
        table: &TableRef,
        partition: Option<&str>,
        version: Option<i64>,
    ) -> Result<i64, EngineError> {
        self.engine
            .query(&question::count(table, partition, version))?
            .one()?
            .integer(0)
    }

    /// Columns of a table.
    ///
    /// # Errors
    /// What the engine says.
    pub fn columns(&self, table: &TableRef, at: &At) -> Result<Vec<Column>, EngineError> {
        self.engine
            .query(&question::columns(table, at))?
            .rows
            .iter()
            .map(|row| {
                Ok(Column {
                    name: row.text(0)?,
                    data_type: row.text(1)?,
                })
            })
            .collect()
    }

    /// The first rows, as texts.
    ///
    /// # Errors
    /// What the engine says.
    pub fn preview(&self, table: &TableRef, at: &At, limit: u32) -> Result<Table, EngineError> {
        self.engine.query(&question::preview(table, at, limit))
    }

    /// The first rows, as JSON objects.
    ///
    /// # Errors
    /// What the engine says.
    pub fn preview_json(
        &self,
        table: &TableRef,
        at: &At,
        limit: u32,
    ) -> Result<Vec<serde_json::Value>, EngineError> {
        self.engine
            .texts(&question::preview_json(table, at, limit))?
            .iter()
            .map(|text| json(text).map_err(|error| EngineError::Shape(error.to_string())))
            .collect()
    }

    /// Whether the table has slices.
    ///
    /// # Errors
    /// What the engine says.
    pub fn is_partitioned(&self, table: &TableRef) -> Result<bool, EngineError> {
        let columns = self.columns(table, &At::Now)?;
        Ok(columns.iter().any(|column| column.name == PARTITION_COLUMN))
    }

    /// Rows per slice.
    ///
    /// # Errors
    /// What the engine says.
    pub fn slices(&self, table: &TableRef) -> Result<Vec<(Option<String>, i64)>, EngineError> {
        self.engine
            .query(&question::slices(table, &At::Now))?
            .rows
            .iter()
            .map(|row| Ok((row.optional_text(0), row.integer(1)?)))
            .collect()
    }

    /// Rows per slice at a snapshot; of a table without slices, one of the name ``.
    ///
    /// # Errors
    /// What the engine says.
    pub fn slices_at(
        &self,
        table: &TableRef,
        snapshot: i64,
    ) -> Result<Vec<(String, i64)>, EngineError> {
        let at = At::Version(snapshot);
        let columns = self.columns(table, &at)?;
        if !columns.iter().any(|column| column.name == PARTITION_COLUMN) {
            return Ok(vec![(
                String::new(),
                self.count(table, None, Some(snapshot))?,
            )]);
        }
        let found = self.engine.query(&question::slices(table, &at))?;
        let slice = |row: &Row| Ok((row.text(0)?, row.integer(1)?));
        found.rows.iter().map(slice).collect()
    }

    /// The engine's id of the table; names in a snapshot's changes.
    ///
    /// # Errors
    /// What the engine says.
    pub fn table_id(&self, table: &TableRef) -> Result<Option<i64>, EngineError> {
        self.engine
            .query(&question::table_id(table))?
            .rows
            .first()
            .map(|row| row.integer(0))
            .transpose()
    }
}
