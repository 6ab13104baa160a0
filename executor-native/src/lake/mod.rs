//! A lake as the executor sees it: its files, its snapshots, its locks.

mod advisory;
mod cause;
mod lock;
mod publishing;
mod reader;
mod snapshots;
mod storage;

use std::path::PathBuf;

pub use advisory::{AdvisoryLock, advisory_key};
pub use cause::Cause;
pub use lock::{PublishGuard, PublishLocks};
pub use publishing::{Place, Publishing};
pub use reader::LakeReader;
pub use snapshots::{Committed, Companion, Snapshot, committed_by, latest, list};
pub(crate) use storage::readable;
pub use storage::{exists, prepare};

use crate::config::ConfigError;
use crate::engine::EngineError;

/// What can go wrong around a lake.
#[derive(Debug, thiserror::Error)]
pub enum LakeError {
    /// Nothing has been written to it yet.
    #[error("the lake `{0}` does not exist yet: run a script that materialises into it")]
    Absent(String),
    /// The table is not there.
    #[error("there is no table `{0}`; `lakemill status` lists what has been materialised")]
    NoTable(String),
    /// A file or a folder of it.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The wait for a lock was cancelled.
    #[error("cancelled while waiting for another write to `{0}`")]
    Cancelled(String),
    /// Something outside lakemill keeps it from being opened.
    #[error("{error}. What is behind it: {cause}")]
    Outside {
        /// What was seen of it.
        error: Box<EngineError>,
        /// What it is.
        cause: Cause,
    },
    /// The configuration does not know it.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The engine refused.
    #[error(transparent)]
    Engine(#[from] EngineError),
}
