//! What was materialised by which run: recorded `running` before a publish, settled after it, and settled from the
//! lake itself when the process died in between.

mod heartbeat;
mod owner;
mod settle;
mod sqlite;

use std::path::PathBuf;

use parser_core::plan::sql::Column;
use serde::{Deserialize, Serialize};

pub use heartbeat::Heartbeat;
pub use owner::{Owner, Owners};
pub use settle::{Settled, settle};
pub use sqlite::SqliteState;

/// The one workspace of a project on this machine. Shared stores will hold several.
pub const WORKSPACE: &str = "main";

/// How long a running record is trusted without a sign of life, when the owner's lock file cannot tell.
pub const LEASE_MS: i64 = 60_000;

/// What can go wrong with the state store.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The store does not open.
    #[error("the state store {path} does not open: {reason}")]
    Open {
        /// Its file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The store was made by a newer lakemill.
    #[error("the state store {0} was written by a newer lakemill: use that version")]
    Newer(PathBuf),
    /// A statement failed.
    #[error("the state store failed: {0}")]
    Store(#[from] sqlx::Error),
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
    /// See [`LEASE_MS`].
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
    /// Records a run as `running`, in every table at once.
    ///
    /// # Errors
    /// [`StateError::Store`]
    fn begin(&self, run: &Begin, owner: &str, now_ms: i64) -> Result<(), StateError>;

    /// Settles a run. A run that is already settled stays as it is; gives whether this call did it.
    ///
    /// # Errors
    /// [`StateError::Store`]
    fn end(&self, job: &str, end: &End, now_ms: i64) -> Result<bool, StateError>;

    /// Prolongs the leases of everything `owner` runs.
    ///
    /// # Errors
    /// [`StateError::Store`]
    fn renew(&self, owner: &str, now_ms: i64) -> Result<(), StateError>;

    /// Every run that is not settled, oldest first.
    ///
    /// # Errors
    /// [`StateError::Store`]
    fn running(&self) -> Result<Vec<RunRecord>, StateError>;

    /// The latest of every slice, or of the slices of one asset.
    ///
    /// # Errors
    /// [`StateError::Store`]
    fn slices(&self, asset: Option<&AssetKey>) -> Result<Vec<SliceRecord>, StateError>;

    /// Runs of an asset, newest first.
    ///
    /// # Errors
    /// [`StateError::Store`]
    fn runs(&self, asset: &AssetKey, limit: u32) -> Result<Vec<RunRecord>, StateError>;

    /// Versions of an asset's columns, oldest first.
    ///
    /// # Errors
    /// [`StateError::Store`]
    fn schemas(&self, asset: &AssetKey) -> Result<Vec<SchemaRecord>, StateError>;
}

/// UTC milliseconds since 1970.
#[must_use]
pub fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
