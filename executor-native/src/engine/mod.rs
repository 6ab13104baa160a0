//! The engine: one in-memory DuckDB per script run, and the only place that talks to it.
//!
//! A statement comes in as a [`Command`]: rendered by the core from a plan, or one of the fixed [`question`]s
//! that the executor asks about a lake. Nothing here takes a free text.
#![allow(clippy::disallowed_methods)] // this module is where the raw calls live

mod attachment;
pub mod confinement;
mod error;
pub mod extensions;
mod json;
mod outside;
pub mod question;
mod rows;
pub mod spill;

use std::path::Path;
use std::sync::Arc;

use duckdb::types::Value;
use duckdb::{Config, Connection, InterruptHandle, params_from_iter};
use parser_core::render::Rendered;

pub use attachment::Attachment;
pub use error::{Class, EngineError, Fault};
pub use json::json;
pub use outside::Outside;
pub use rows::{Row, Table};

use crate::config::EngineConfig;
use spill::Spill;

/// A statement that the engine takes.
#[derive(Clone, Debug)]
pub struct Command {
    sql: String,
    /// Values for the `?`s of a [`question`].
    values: Vec<Value>,
    /// Where the text comes from, when it holds SQL of a script.
    rendered: Option<Rendered>,
}

impl From<Rendered> for Command {
    fn from(rendered: Rendered) -> Self {
        Self {
            sql: rendered.sql().to_owned(),
            values: Vec::new(),
            rendered: Some(rendered),
        }
    }
}

impl Command {
    /// The SQL text.
    #[must_use]
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// The byte offset in the script for one in this statement's text.
    #[must_use]
    pub fn to_source(&self, offset: usize) -> Option<usize> {
        self.rendered.as_ref()?.to_source(offset)
    }
}

/// The settings of a session by name.
#[derive(Debug)]
pub struct Settings(std::collections::BTreeMap<String, Option<String>>);

/// An isolated engine with its extensions loaded and nothing attached.
pub struct Engine {
    connection: Connection,
    /// Behind the connection, which is closed before it goes.
    spill: Arc<Spill>,
    loaded: Vec<extensions::Extension>,
    searched: String,
    /// What the next session may find attached.
    kept: Vec<Attachment>,
    is_confined: bool,
    /// Whether ICU is there: time zone functions need it.
    pub has_icu: bool,
}

/// More threads than a process can start end it; this is beyond what any machine of today has.
const MOST_THREADS: u32 = 1024;

impl Engine {
    /// Opens an engine and loads the extensions that lakes on these catalogs need. Relative file names in scripts are
    /// looked up from `root`.
    ///
    /// # Errors
    /// [`EngineError::Open`], [`EngineError::Extension`].
    pub fn open(
        config: &EngineConfig,
        root: &Path,
        needs: &[extensions::Extension],
    ) -> Result<Self, EngineError> {
        let _span = tracing::debug_span!("open engine").entered();
        let directories = extensions::directories(config);
        let directory = extensions::choose(&directories, needs);
        let spill = Arc::new(Spill::new(config, root));
        let mut settings = Config::default()
            .with("autoinstall_known_extensions", "false")
            .and_then(|settings| settings.with("autoload_known_extensions", "true"))
            .and_then(|settings| settings.with("errors_as_json", "true"))
            .and_then(|settings| settings.with("custom_user_agent", "lakemill"))
            .and_then(|settings| settings.with("file_search_path", root.to_string_lossy()))
            .and_then(|settings| settings.with("temp_directory", spill.path().to_string_lossy()))
            .map_err(|error| EngineError::Open(Fault::from(error)))?;
        let mut is_known = false;
        if let Some(directory) = &directory {
            settings = settings
                .with("extension_directory", directory.to_string_lossy())
                .map_err(|error| EngineError::Open(Fault::from(error)))?;
            is_known = extensions::are_known(directory, needs);
        }
        if is_known {
            settings = settings
                .allow_unsigned_extensions()
                .map_err(|error| EngineError::Open(Fault::from(error)))?;
        }
        if let Some(limit) = &config.memory_limit {
            settings = settings
                .max_memory(limit)
                // What a large sort or join frees goes back to the system at once: else the process would keep it beside what
                // the limit allows the next statement.
                .and_then(|settings| {
                    settings.with("allocator_bulk_deallocation_flush_threshold", "16MB")
                })
                .map_err(|error| EngineError::Open(Fault::from(error)))?;
        }
        if let Some(threads) = config.threads {
            settings = settings
                .threads(i64::from(threads.min(MOST_THREADS)))
                .map_err(|error| EngineError::Open(Fault::from(error)))?;
        }
        let connection = Connection::open_in_memory_with_flags(settings)
            .map_err(|error| EngineError::Open(Fault::from(error)))?;
        let mut engine = Self {
            connection,
            spill,
            loaded: Vec::new(),
            searched: extensions::display(&directories),
            kept: Vec::new(),
            is_confined: false,
            has_icu: false,
        };
        engine.load(needs)?;
        if is_known {
            // For what is loaded from here on, the engine asks for a signature. It does not let this be taken back.
            engine.run(&question::signatures())?;
        }
        engine.has_icu = engine
            .run(&question::load(extensions::Extension::Icu))
            .is_ok();
        engine.begin_session()?;
        Ok(engine)
    }

    /// A clean session on the same instance: no attachment but those `wanted` that were kept, no temp object, variable or secret of the last run
    /// is left, while the loaded extensions, which cost most of an opening, are kept.
    ///
    /// For another slice of the *same* script, or after a script that left no global setting behind: those stay.
    ///
    /// # Errors
    /// What the engine says.
    pub fn renew(
        &mut self,
        needs: &[extensions::Extension],
        wanted: &[Attachment],
    ) -> Result<(), EngineError> {
        let fresh = self
            .connection
            .try_clone()
            .map_err(|error| EngineError::Open(Fault::from(error)))?;
        let used = std::mem::replace(&mut self.connection, fresh);
        drop(used);
        let attached = self.texts(&question::attached())?;
        self.kept
            .retain(|kept| wanted.contains(kept) && attached.contains(&kept.name));
        for name in attached {
            if self.kept.iter().all(|kept| kept.name != name) {
                self.run(&question::detach(&name))?;
            }
        }
        for name in self.texts(&question::secrets())? {
            self.run(&question::drop_secret(&name))?;
        }
        self.load(needs)?;
        self.begin_session()
    }

    /// Whether this was attached by an earlier session.
    #[must_use]
    pub fn has_kept(&self, wanted: &Attachment) -> bool {
        self.kept.contains(wanted)
    }

    /// Keeps what is attached for later sessions that want it.
    pub fn keep(&mut self, attached: Vec<Attachment>) {
        self.kept = attached;
    }

    /// Another session of the same instance: it sees what is attached, and has transactions of its own.
    ///
    /// # Errors
    /// [`EngineError::Open`]
    pub fn beside(&self) -> Result<Self, EngineError> {
        let connection = self
            .connection
            .try_clone()
            .map_err(|error| EngineError::Open(Fault::from(error)))?;
        Ok(Self {
            connection,
            spill: Arc::clone(&self.spill),
            loaded: self.loaded.clone(),
            searched: self.searched.clone(),
            kept: Vec::new(),
            is_confined: self.is_confined,
            has_icu: self.has_icu,
        })
    }

    fn load(&mut self, needs: &[extensions::Extension]) -> Result<(), EngineError> {
        for extension in needs {
            if self.loaded.contains(extension) {
                continue;
            }
            self.run(&question::load(*extension))
                .map_err(|error| EngineError::Extension {
                    name: extension.name(),
                    searched: self.searched.clone(),
                    fault: error.into_fault(),
                })?;
            self.loaded.push(*extension);
        }
        Ok(())
    }

    /// Whether another session could reach what it needs: a confined engine attaches nothing any more.
    #[must_use]
    pub const fn can_renew(&self) -> bool {
        !self.is_confined
    }

    /// The settings of the session, by name. Which schema names are looked up in is none.
    ///
    /// # Errors
    /// What the engine says.
    pub fn settings(&self) -> Result<Settings, EngineError> {
        let rows = self.query(&question::settings())?.rows;
        rows.iter()
            .map(|row| Ok((row.text(0)?, row.optional_text(1))))
            .collect::<Result<_, _>>()
            .map(Settings)
    }

    /// Gives changed settings the values that they had.
    ///
    /// # Errors
    /// What the engine says.
    pub fn restore(&self, before: &Settings) -> Result<(), EngineError> {
        for (name, value) in &self.settings()?.0 {
            if let Some(known) = before.0.get(name)
                && known != value
            {
                self.run(&question::set(name, known.as_deref()))?;
            }
        }
        Ok(())
    }

    fn begin_session(&self) -> Result<(), EngineError> {
        if self.has_icu {
            self.run(&question::utc())?;
        }
        Ok(())
    }

    /// Runs a statement; gives the number of rows it changed (0 for one that changes none).
    ///
    /// # Errors
    /// [`EngineError::Statement`], [`EngineError::Interrupted`].
    pub fn run(&self, command: &Command) -> Result<u64, EngineError> {
        tracing::trace!(sql = %crate::config::mask(&command.sql), "run");
        let mut statement = self
            .connection
            .prepare(&command.sql)
            .map_err(EngineError::from)?;
        let mut rows = statement
            .query(params_from_iter(command.values.iter()))
            .map_err(EngineError::from)?;
        // Writes answer with one row that holds the count; everything else that is run here has no count to give.
        let mut changed = 0;
        if let Some(row) = rows.next().map_err(EngineError::from)? {
            let is_count = row
                .as_ref()
                .column_names()
                .first()
                .is_some_and(|name| name.eq_ignore_ascii_case("count"));
            if is_count && let Ok(count) = row.get::<_, i64>(0) {
                changed = u64::try_from(count).unwrap_or_default();
            }
        }
        // Drain, so that a SELECT among the setup statements runs to its end.
        while rows.next().map_err(EngineError::from)?.is_some() {}
        Ok(changed)
    }

    /// The rows of a query.
    ///
    /// # Errors
    /// [`EngineError::Statement`], [`EngineError::Interrupted`].
    pub fn query(&self, command: &Command) -> Result<Table, EngineError> {
        tracing::trace!(sql = %crate::config::mask(&command.sql), "query");
        let mut statement = self
            .connection
            .prepare(&command.sql)
            .map_err(EngineError::from)?;
        let mut rows = statement
            .query(params_from_iter(command.values.iter()))
            .map_err(EngineError::from)?;
        let mut table = Table::default();
        while let Some(row) = rows.next().map_err(EngineError::from)? {
            if table.columns.is_empty() {
                table.columns = row.as_ref().column_names();
            }
            let mut values = Vec::with_capacity(table.columns.len());
            for at in 0..table.columns.len() {
                values.push(row.get::<_, Value>(at).map_err(EngineError::from)?);
            }
            table.rows.push(Row(values));
        }
        if table.columns.is_empty() {
            drop(rows);
            table.columns = statement.column_names();
        }
        Ok(table)
    }

    /// The first column of a query, as texts.
    ///
    /// # Errors
    /// As [`Engine::query`].
    pub fn texts(&self, command: &Command) -> Result<Vec<String>, EngineError> {
        self.query(command)?
            .rows
            .iter()
            .map(|row| row.text(0))
            .collect()
    }

    /// Whether something is attached under this name.
    ///
    /// # Errors
    /// What the engine says.
    pub fn has_attached(&self, name: &str) -> Result<bool, EngineError> {
        let attached = self.texts(&question::attached())?;
        Ok(attached
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name)))
    }

    /// Stops the running statement from another thread.
    #[must_use]
    pub fn interrupt_handle(&self) -> Arc<InterruptHandle> {
        self.connection.interrupt_handle()
    }
}

#[cfg(test)]
mod tests {
    use parser_core::body::Again;
    use parser_core::plan::sql::Ident;
    use parser_core::plan::{Catalog, LakeSource, Statement};
    use parser_core::render::render;

    use super::*;

    #[test]
    fn renew_leaves_nothing_of_the_last_session() {
        let mut engine = Engine::open(&EngineConfig::default(), Path::new("."), &[]).unwrap();
        engine
            .run(&question::test_only("CREATE TEMP TABLE t AS SELECT 1 AS a"))
            .unwrap();
        engine
            .run(&question::test_only("ATTACH ':memory:' AS other"))
            .unwrap();
        engine
            .run(&question::test_only("SET VARIABLE v = 1"))
            .unwrap();
        engine.renew(&[], &[]).unwrap();
        assert!(engine.run(&question::test_only("FROM t")).is_err());
        assert!(engine.run(&question::test_only("FROM other.x")).is_err());
        let value = engine
            .query(&question::test_only("SELECT getvariable('v')"))
            .unwrap();
        assert_eq!(value.rows[0].optional_text(0), None);
    }

    #[test]
    fn a_lake_stays_attached_for_a_session_that_wants_it() {
        let folder = tempfile::tempdir().unwrap();
        let attach = |lake: &str, alias: &str| Statement::AttachLake {
            lake: lake.to_owned(),
            source: LakeSource {
                catalog: Catalog::Sqlite(format!("{}/{lake}.sqlite", folder.path().display())),
                data_path: format!("{}/{lake}/", folder.path().display()),
            },
            alias: Ident::new(alias),
            read_only: false,
            options: None,
            again: Again::Refuse,
        };
        let needs = [
            extensions::Extension::DuckLake,
            extensions::Extension::Sqlite,
        ];
        let mut engine = Engine::open(&EngineConfig::default(), Path::new("."), &needs).unwrap();
        let run = |engine: &Engine, statement: &Statement| {
            engine.run(&Command::from(render(statement))).unwrap();
        };
        let [one, two] = [attach("one", "a"), attach("two", "b")];
        for lake in [&one, &two] {
            run(&engine, lake);
        }
        let kept = [&one, &two].map(|lake| Attachment::of(lake).unwrap());
        engine.keep(kept.to_vec());
        engine.renew(&needs, &kept[..1]).unwrap();
        assert!(engine.has_kept(&kept[0]) && engine.has_attached("a").unwrap());
        assert!(!engine.has_kept(&kept[1]) && !engine.has_attached("b").unwrap());

        // The same name for another lake, or other options: attached anew.
        let other = Attachment::of(&attach("two", "a")).unwrap();
        engine.renew(&needs, &[other]).unwrap();
        assert!(!engine.has_attached("a").unwrap());

        // Another catalog at the same place, too.
        run(&engine, &one);
        engine.keep(vec![kept[0].clone()]);
        engine.run(&question::detach("a")).unwrap();
        std::fs::remove_file(folder.path().join("one.sqlite")).unwrap();
        run(&engine, &one);
        let again = Attachment::of(&one).unwrap();
        assert_ne!(again, kept[0]);
        engine.renew(&needs, &[again]).unwrap();
        assert!(!engine.has_attached("a").unwrap());
    }

    #[test]
    fn an_error_has_class_and_position() {
        let engine = Engine::open(&EngineConfig::default(), Path::new("."), &[]).unwrap();
        let error = engine
            .run(&question::test_only("SELECT 1, nope"))
            .unwrap_err();
        let fault = error.into_fault();
        assert_eq!(fault.class, Class::Binder);
        assert_eq!(fault.position, Some(10));
        assert!(fault.message.contains("nope"), "{}", fault.message);
    }

    #[test]
    fn a_write_gives_its_count() {
        let engine = Engine::open(&EngineConfig::default(), Path::new("."), &[]).unwrap();
        let made = engine
            .run(&question::test_only("CREATE TABLE t AS FROM range(5)"))
            .unwrap();
        assert_eq!(made, 5);
        assert_eq!(
            engine
                .run(&question::test_only("DELETE FROM t WHERE range > 2"))
                .unwrap(),
            2
        );
        assert_eq!(
            engine
                .run(&question::test_only("SELECT 42 AS Count_"))
                .unwrap(),
            0
        );
    }

    #[test]
    fn a_conflict_has_the_class_that_publish_retries() {
        use extensions::Extension;
        let folder = tempfile::tempdir().unwrap();
        let attach = format!(
            "ATTACH 'ducklake:sqlite:{0}/c.sqlite' AS l (DATA_PATH '{0}/d/', META_JOURNAL_MODE 'WAL', META_BUSY_TIMEOUT 20000)",
            folder.path().display()
        );
        let open = || {
            let needs = [Extension::DuckLake, Extension::Sqlite];
            let engine = Engine::open(&EngineConfig::default(), Path::new("."), &needs).unwrap();
            engine.run(&question::test_only(&attach)).unwrap();
            engine
        };
        let ours = open();
        ours.run(&question::test_only(
            "CREATE TABLE l.t AS FROM range(10) AS r(n)",
        ))
        .unwrap();
        let theirs = open();
        for (mine, yours) in [
            ("DELETE FROM l.t WHERE n < 5", "DELETE FROM l.t WHERE n < 3"),
            (
                "CREATE TABLE l.u AS SELECT 1 AS a",
                "CREATE TABLE l.u AS SELECT 2 AS a",
            ),
        ] {
            ours.run(&question::test_only("BEGIN")).unwrap();
            theirs.run(&question::test_only("BEGIN")).unwrap();
            ours.run(&question::test_only(mine)).unwrap();
            theirs.run(&question::test_only(yours)).unwrap();
            ours.run(&question::test_only("COMMIT")).unwrap();
            let fault = theirs
                .run(&question::test_only("COMMIT"))
                .unwrap_err()
                .into_fault();
            let _ = theirs.run(&question::rollback());
            assert_eq!(fault.class, Class::Transaction, "{}", fault.message);
        }
    }
}
