//! The state store in a SQLite file: the embedded default.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Sqlite, SqliteConnection};
use tokio::runtime::Runtime;
use tokio::sync::Mutex;

use super::tables::{Dialect, Fault, Tables};
use super::{
    AssetKey, Begin, End, RunRecord, SchemaRecord, SliceRecord, StateError, StateStore, now_ms,
};
use crate::config::StateSource;
use crate::scratch::Scratch;

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("migrations/sqlite");

impl Dialect for Sqlite {
    // Writes take the lock at once: a transaction that reads first and writes later could not wait for another writer.
    const BEGIN: &'static str = "BEGIN IMMEDIATE";
    // The column compares without case.
    const PATH: &'static str = "asset_path";
    const LOCK_SCHEMA: Option<&'static str> = None;
}

/// A state store in a SQLite file.
#[derive(Debug)]
pub struct SqliteState {
    /// `None` after an error: what that left of a transaction goes with the connection.
    connection: Mutex<Option<SqliteConnection>>,
    options: SqliteConnectOptions,
    runtime: Runtime,
    place: String,
    workspace: String,
    lease: Duration,
    /// Of what the connection has open.
    _scratch: Option<Scratch>,
}

impl SqliteState {
    /// Opens `file`, making and migrating it under a file lock: several processes may start at once.
    ///
    /// # Errors
    /// [`StateError::Open`], [`StateError::Newer`], [`StateError::Lock`], [`StateError::Full`].
    pub fn open(file: &Path, source: &StateSource) -> Result<Self, StateError> {
        Self::open_at(file, file, source, None)
    }

    /// Opens `file` to look at it, without making it or needing to write it. One that is not there is empty.
    ///
    /// # Errors
    /// As [`SqliteState::open`].
    pub fn open_to_read(file: &Path, source: &StateSource) -> Result<Self, StateError> {
        let scratch = Scratch::default();
        let place = if file.exists() {
            scratch.readable(file).map_err(|error| StateError::Open {
                store: file.display().to_string(),
                reason: error.to_string(),
            })?
        } else {
            scratch.path().join("empty.sqlite")
        };
        Self::open_at(&place, file, source, Some(scratch))
    }

    /// Opens what is at `file`, and in messages at `named`.
    fn open_at(
        file: &Path,
        named: &Path,
        source: &StateSource,
        scratch: Option<Scratch>,
    ) -> Result<Self, StateError> {
        let place = named.display().to_string();
        let fail = |reason: String| StateError::Open {
            store: place.clone(),
            reason,
        };
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| fail(error.to_string()))?;
        }
        let lock_path = file.with_extension("lock");
        let lock = File::create(&lock_path)
            .and_then(|lock| lock.lock().map(|()| lock))
            .map_err(|source| StateError::Lock {
                path: lock_path,
                source,
            })?;
        let runtime = super::runtime().map_err(|error| fail(error.to_string()))?;
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A record that says `materialized` must not be lost when the machine stops.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(30));
        let connection = runtime.block_on(async {
            let mut connection = options
                .connect()
                .await
                .map_err(|error| StateError::opening(&place, &error))?;
            super::migrated(MIGRATIONS.run(&mut connection).await, &place)?;
            Ok::<_, StateError>(connection)
        })?;
        drop(lock);
        Ok(Self {
            connection: Mutex::new(Some(connection)),
            options,
            runtime,
            place,
            workspace: source.workspace.clone(),
            lease: source.lease,
            _scratch: scratch,
        })
    }

    fn with<T>(
        &self,
        work: impl AsyncFnOnce(Tables<'_, Sqlite>) -> Result<T, Fault>,
    ) -> Result<T, StateError> {
        let done = self.runtime.block_on(async {
            let kept = &mut *self.connection.lock().await;
            let mut connection = match kept.take() {
                Some(connection) => connection,
                None => self.options.connect().await?,
            };
            let done = work(Tables {
                connection: &mut connection,
                workspace: &self.workspace,
                lease_ms: super::millis(self.lease),
            })
            .await?;
            *kept = Some(connection);
            Ok(done)
        });
        done.map_err(|fault| StateError::during(&self.place, fault))
    }
}

impl StateStore for SqliteState {
    fn lease(&self) -> Duration {
        self.lease
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn begin(&self, run: &Begin, owner: &str, now_ms: i64) -> Result<(), StateError> {
        self.with(async |tables| tables.begin(run, owner, now_ms).await)
    }

    fn end(&self, job: &str, end: &End, now_ms: i64) -> Result<bool, StateError> {
        self.with(async |tables| tables.end(job, end, now_ms).await)
    }

    fn renew(&self, owner: &str, now_ms: i64) -> Result<(), StateError> {
        self.with(async |tables| tables.renew(owner, now_ms).await)
    }

    fn is_running(&self, job: &str) -> Result<bool, StateError> {
        self.with(async |tables| tables.still_runs(job).await)
    }

    fn is_abandoned(&self, run: &RunRecord) -> Result<bool, StateError> {
        Ok(run.lease_expires_at < now_ms())
    }

    fn running(&self) -> Result<Vec<RunRecord>, StateError> {
        self.with(async |tables| tables.running().await)
    }

    fn slices(&self, asset: Option<&AssetKey>) -> Result<Vec<SliceRecord>, StateError> {
        self.with(async |tables| tables.slices(asset).await)
    }

    fn runs(&self, asset: &AssetKey, limit: u32) -> Result<Vec<RunRecord>, StateError> {
        self.with(async |tables| tables.runs(asset, limit).await)
    }

    fn schemas(&self, asset: &AssetKey) -> Result<Vec<SchemaRecord>, StateError> {
        self.with(async |tables| tables.schemas(asset).await)
    }
}
