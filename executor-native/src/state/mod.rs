//! What was materialised by which run: recorded `running` before a publish, settled after it, and settled from the
//! lake itself when the process died in between.

mod heartbeat;
mod owner;
mod postgres;
mod settle;
mod sqlite;
mod tables;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parser_core::plan::sql::Column;
use serde::{Deserialize, Serialize};

pub use heartbeat::Heartbeat;
pub use owner::{Owner, Owners};
pub use postgres::PostgresState;
pub use settle::{Settled, settle};
pub use sqlite::SqliteState;

use crate::config::{StateSource, Store, mask};
use crate::disk;

/// What can go wrong with the state store.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The store does not open.
    #[error("the state store {store} does not open: {reason}")]
    Open {
        /// Its file, or its address without the password.
        store: String,
        /// Why.
        reason: String,
    },
    /// Its server does not answer.
    #[error(
        "the state store {store} cannot be reached: {reason}. Start its server, or correct `[state] url`; nothing was run"
    )]
    Unreachable {
        /// Its address.
        store: String,
        /// Why.
        reason: String,
    },
    /// Its server went away.
    #[error(
        "the state store {store} is gone: {reason}. Start its server again: the next lakemill command then records from the lake what this run did"
    )]
    Lost {
        /// Its address.
        store: String,
        /// Why.
        reason: String,
    },
    /// There is no room left for it.
    #[error(
        "the disk of the state store {0} is full: free some space and run again. What a run did meanwhile, the next lakemill command records from the lake"
    )]
    Full(String),
    /// The store was made by a newer lakemill.
    #[error("the state store {0} was written by a newer lakemill: use that version")]
    Newer(String),
    /// A statement failed.
    #[error("the state store {store} failed: {reason}")]
    Store {
        /// Its file or its address.
        store: String,
        /// Why.
        reason: String,
    },
    /// A stored JSON text does not read.
    #[error("the state store holds a text that does not read: {0}")]
    Json(#[from] serde_json::Error),
    /// A lock file cannot be made.
    #[error("{path}: {source}")]
    Lock {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl StateError {
    /// Why a store does not open.
    fn opening(store: &str, error: &sqlx::Error) -> Self {
        let store = store.to_owned();
        let reason = reason(error);
        if is_lost(error) {
            return Self::Unreachable { store, reason };
        }
        match code(error).as_deref() {
            Some(_) if is_full(&store, error) => Self::Full(store),
            Some(POSTGRES_DENIED) => Self::Open {
                store,
                reason: format!(
                    "{reason}. Give the user a schema of its own: `CREATE SCHEMA lakemill AUTHORIZATION \"USER\"`"
                ),
            },
            Some(_) | None => Self::Open { store, reason },
        }
    }

    /// Why a statement failed on a store that was open.
    fn during(store: &str, fault: tables::Fault) -> Self {
        let error = match fault {
            tables::Fault::Json(error) => return Self::Json(error),
            tables::Fault::Sql(error) => error,
        };
        let store = store.to_owned();
        if is_lost(&error) {
            let reason = reason(&error);
            return Self::Lost { store, reason };
        }
        match code(&error).as_deref() {
            Some(_) if is_full(&store, &error) => Self::Full(store),
            Some(_) | None => Self::Store {
                store,
                reason: reason(&error),
            },
        }
    }
}

const SQLITE_FULL: &str = "13";
/// Of the extended code, the lower byte.
const SQLITE_IO: u32 = 10;
const POSTGRES_FULL: &str = "53100";
const POSTGRES_DENIED: &str = "42501";

/// Whether the server went away, or has not come yet, rather than refused.
fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        // Connection exceptions; shut down, crashed, starting.
        sqlx::Error::Database(_) => {
            code(error).is_some_and(|code| code.starts_with("08") || code.starts_with("57P0"))
        }
        _ => false,
    }
}

/// SQLite has no word for a disk on which not even its log finds room: that is asked.
fn is_full(store: &str, error: &sqlx::Error) -> bool {
    let code = code(error).unwrap_or_default();
    let is_sqlite_io = code
        .parse::<u32>()
        .is_ok_and(|code| code < 10_000 && code & 0xff == SQLITE_IO);
    matches!(code.as_str(), SQLITE_FULL | POSTGRES_FULL)
        || (is_sqlite_io && disk::is_full(Path::new(store)))
}

fn code(error: &sqlx::Error) -> Option<String> {
    Some(error.as_database_error()?.code()?.into_owned())
}

fn reason(error: &sqlx::Error) -> String {
    mask(&match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        sqlx::Error::Io(error) => error.to_string(),
        other => other.to_string(),
    })
}

fn migrated(done: Result<(), sqlx::migrate::MigrateError>, store: &str) -> Result<(), StateError> {
    use sqlx::migrate::MigrateError;
    done.map_err(|error| match error {
        MigrateError::VersionMissing(_) => StateError::Newer(store.to_owned()),
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            StateError::opening(store, &error)
        }
        other => StateError::Open {
            store: store.to_owned(),
            reason: mask(&other.to_string()),
        },
    })
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Opens a project's state store.
///
/// # Errors
/// [`StateError`] of what stands in the way.
pub fn open(source: &StateSource) -> Result<Arc<dyn StateStore>, StateError> {
    Ok(match &source.store {
        Store::Sqlite(file) => Arc::new(SqliteState::open(file, source)?),
        Store::Postgres(url) => Arc::new(PostgresState::open(url, source)?),
    })
}

/// Opens a project's state store to look at it: a store in a file is not made, and one that cannot be written is read all the
/// same. What is written into it then is lost.
///
/// # Errors
/// As [`open`].
pub fn open_to_read(source: &StateSource) -> Result<Arc<dyn StateStore>, StateError> {
    match &source.store {
        Store::Sqlite(file) => Ok(Arc::new(SqliteState::open_to_read(file, source)?)),
        Store::Postgres(_) => open(source),
    }
}

/// An asset in the records.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AssetKey {
    /// `ducklake`
    pub kind: String,
    /// `lake/table`
    pub path: String,
}

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Not settled yet.
    Running,
    /// Committed (or nothing to change) and every data test passed.
    Materialized,
    /// An error, a violated data test, or a dead process.
    Failed,
    /// Stopped by the user.
    Cancelled,
}

impl Status {
    /// Its name in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Materialized => "materialized",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The status of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Running,
            Self::Materialized,
            Self::Failed,
            Self::Cancelled,
        ]
        .into_iter()
        .find(|status| status.as_str() == name)
    }
}

/// A run that begins.
#[derive(Clone, Debug)]
pub struct Begin {
    /// UUID v7.
    pub job: String,
    /// What it writes.
    pub asset: AssetKey,
    /// The slice; empty when unpartitioned.
    pub partition: String,
    /// The script's path.
    pub script: String,
    /// SHA-256 of the script, hex.
    pub content_hash: String,
    /// Strategy's name.
    pub strategy: String,
    /// `manual`, `schedule`, an asset.
    pub trigger: String,
    /// The run it belongs to.
    pub parent: Option<String>,
    /// Whether data tests follow its commit: should it die in between, they have no outcome.
    pub tests_after_commit: bool,
}

/// A run that ended.
#[derive(Clone, Debug)]
pub struct End {
    /// How.
    pub status: Status,
    /// Its snapshot; `None` when nothing was committed.
    pub snapshot: Option<i64>,
    /// Whether it changed the table.
    pub changed: Option<bool>,
    /// Rows of the slice after it.
    pub rows: Option<i64>,
    /// Rows inserted.
    pub inserted: Option<i64>,
    /// Rows deleted.
    pub deleted: Option<i64>,
    /// Milliseconds per stage.
    pub timings: Option<serde_json::Value>,
    /// Newest snapshot of each lake that the script reads, as the run began.
    pub upstream_snapshots: Option<serde_json::Value>,
    /// Outcomes, without samples.
    pub data_tests: Option<serde_json::Value>,
    /// Columns, to be recorded when they differ from the last version. On success only.
    pub columns: Option<Vec<Column>>,
    /// What went wrong.
    pub error: Option<String>,
    /// What its commit makes of the records of the asset's slices.
    pub leaves: Leaves,
}

/// What a commit leaves of the slices of its asset that were recorded before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Leaves {
    /// All: it wrote one slice of them.
    #[default]
    All,
    /// None but its own: the table was made, or has no slices.
    Own,
    /// None: the table has these slices now, with so many rows each; one of the name `` when it has none.
    Only(Vec<(String, i64)>),
}

impl End {
    /// A run that wrote nothing.
    #[must_use]
    pub fn without_commit(status: Status, error: impl Into<String>) -> Self {
        Self {
            status,
            snapshot: None,
            changed: Some(false),
            rows: None,
            inserted: None,
            deleted: None,
            timings: None,
            upstream_snapshots: None,
            data_tests: None,
            columns: None,
            error: Some(error.into()),
            leaves: Leaves::All,
        }
    }
}

/// The latest of one slice.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SliceRecord {
    /// The asset.
    #[serde(flatten)]
    pub asset: AssetKey,
    /// Its value; empty when unpartitioned.
    pub partition: String,
    /// Of the last run.
    pub status: Status,
    /// Of the last run.
    pub job: String,
    /// Of the last success.
    pub snapshot: Option<i64>,
    /// Of the last success.
    pub rows: Option<i64>,
    /// Of the last success; UTC milliseconds since 1970.
    pub materialized_at: Option<i64>,
    /// Of the last run, when it failed.
    pub error: Option<String>,
    /// When the record last changed; UTC milliseconds since 1970.
    pub updated_at: i64,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunRecord {
    /// Its job.
    pub job: String,
    /// The asset.
    #[serde(flatten)]
    pub asset: AssetKey,
    /// The slice; empty when unpartitioned.
    pub partition: String,
    /// The script's path.
    pub script: String,
    /// Strategy's name.
    pub strategy: String,
    /// How it ended.
    pub status: Status,
    /// What started it.
    pub trigger: String,
    /// UTC milliseconds since 1970.
    pub started_at: i64,
    /// UTC milliseconds since 1970.
    pub finished_at: Option<i64>,
    /// Its snapshot.
    pub snapshot: Option<i64>,
    /// Rows of the slice after it.
    pub rows: Option<i64>,
    /// Outcomes of data tests, without samples.
    pub data_tests: Option<serde_json::Value>,
    /// What went wrong.
    pub error: Option<String>,
    /// Who ran it; not for people.
    #[serde(skip)]
    pub owner: String,
    /// UTC milliseconds since 1970, by the clock of the store.
    #[serde(skip)]
    pub lease_expires_at: i64,
}

/// One version of an asset's columns.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SchemaRecord {
    /// From 1.
    pub version: i64,
    /// `[{name, type}]`
    pub columns: serde_json::Value,
    /// The run that brought it.
    pub job: String,
    /// Its snapshot.
    pub snapshot: Option<i64>,
    /// UTC milliseconds since 1970.
    pub recorded_at: i64,
}

/// A state store. Blocking, since the engine is: servers call it from blocking threads.
pub trait StateStore: Send + Sync {
    /// How long a record is trusted without a sign of life.
    fn lease(&self) -> Duration;

    /// Whether other machines record their runs here, too.
    fn is_shared(&self) -> bool;

    /// Records a run as `running`, in every table at once. From here on `owner` is known to be alive.
    ///
    /// # Errors
    /// [`StateError`]
    fn begin(&self, run: &Begin, owner: &str, now_ms: i64) -> Result<(), StateError>;

    /// Settles a run. A run that is already settled stays as it is; gives whether this call did it.
    ///
    /// # Errors
    /// [`StateError`]
    fn end(&self, job: &str, end: &End, now_ms: i64) -> Result<bool, StateError>;

    /// Prolongs the leases of everything `owner` runs.
    ///
    /// # Errors
    /// [`StateError`]
    fn renew(&self, owner: &str, now_ms: i64) -> Result<(), StateError>;

    /// Whether a run is not settled yet. A run asks this while it holds its table's publish lock, under which another process
    /// that takes it for dead settles it: so neither can be wrong about what the other did.
    ///
    /// # Errors
    /// [`StateError`]
    fn is_running(&self, job: &str) -> Result<bool, StateError>;

    /// Whether the owner of a run gave no sign of life for so long that it is taken for dead, where its lock file is not at
    /// hand to tell.
    ///
    /// # Errors
    /// [`StateError`]
    fn is_abandoned(&self, run: &RunRecord) -> Result<bool, StateError>;

    /// Every run that is not settled, oldest first.
    ///
    /// # Errors
    /// [`StateError`]
    fn running(&self) -> Result<Vec<RunRecord>, StateError>;

    /// The latest of every slice, or of the slices of one asset.
    ///
    /// # Errors
    /// [`StateError`]
    fn slices(&self, asset: Option<&AssetKey>) -> Result<Vec<SliceRecord>, StateError>;

    /// Runs of an asset, newest first.
    ///
    /// # Errors
    /// [`StateError`]
    fn runs(&self, asset: &AssetKey, limit: u32) -> Result<Vec<RunRecord>, StateError>;

    /// Versions of an asset's columns, oldest first.
    ///
    /// # Errors
    /// [`StateError`]
    fn schemas(&self, asset: &AssetKey) -> Result<Vec<SchemaRecord>, StateError>;
}

/// UTC milliseconds since 1970.
#[must_use]
pub fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
