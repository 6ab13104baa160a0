//! Snapshots: what was committed, and by whom.

use parser_core::plan::CommitInfo;
use parser_core::plan::sql::Ident;
use serde::Serialize;

use crate::engine::{Engine, EngineError, question};

/// A snapshot of a lake.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Its number: `AT (VERSION => id)`.
    pub id: i64,
    /// UTC, RFC 3339.
    pub time: String,
    /// Who committed it.
    pub author: Option<String>,
    /// What for.
    pub message: Option<String>,
    /// The run it belongs to, when a lakemill wrote it.
    pub run: Option<CommitInfo>,
    /// The engine's map of changes.
    pub changes: serde_json::Value,
}

/// The snapshot that `job` committed, if it did.
///
/// Told by the job id in `extra_info`, never by the newest number: others commit too.
///
/// # Errors
/// What the engine says.
pub fn committed_by(
    engine: &Engine,
    catalog: &Ident,
    job: &str,
) -> Result<Option<i64>, EngineError> {
    for row in &engine
        .query(&question::snapshots_of_job(catalog, job))?
        .rows
    {
        let info = row
            .optional_text(1)
            .and_then(|text| serde_json::from_str::<CommitInfo>(&text).ok());
        if info.is_some_and(|info| info.job == job) {
            return Ok(Some(row.integer(0)?));
        }
    }
    Ok(None)
}

/// The newest snapshot's number.
///
/// # Errors
/// What the engine says.
pub fn latest(engine: &Engine, catalog: &Ident) -> Result<i64, EngineError> {
    engine
        .query(&question::latest_snapshot(catalog))?
        .one()?
        .integer(0)
}

/// Every snapshot, newest first.
///
/// # Errors
/// What the engine says.
pub fn list(engine: &Engine, catalog: &Ident) -> Result<Vec<Snapshot>, EngineError> {
    engine
        .query(&question::snapshots(catalog))?
        .rows
        .iter()
        .map(|row| {
            Ok(Snapshot {
                id: row.integer(0)?,
                time: row.text(1)?,
                author: row.optional_text(2),
                message: row.optional_text(3),
                run: row
                    .optional_text(4)
                    .and_then(|text| serde_json::from_str(&text).ok()),
                changes: row
                    .optional_text(5)
                    .and_then(|text| serde_json::from_str(&text).ok())
                    .unwrap_or_default(),
            })
        })
        .collect()
}
