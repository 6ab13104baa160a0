//! Snapshots: what was committed, and by whom.

use parser_core::plan::CommitInfo;
use parser_core::plan::sql::Ident;
use serde::{Deserialize, Serialize};

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
    /// The run it belongs to, when a lakemill wrote it; of several that were published together, the first.
    pub run: Option<CommitInfo>,
    /// The others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<Companion>,
    /// The engine's map of changes.
    pub changes: serde_json::Value,
}

/// A run that was published together with another.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Companion {
    /// Job id.
    pub job: String,
    /// The slice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
}

/// What `extra_info` says of a commit.
#[derive(Debug, Serialize, Deserialize)]
pub struct Committed {
    /// The run, or the first of several.
    #[serde(flatten)]
    pub run: CommitInfo,
    /// The others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<Companion>,
}

impl Committed {
    /// JSON of a run and those that are published together with it.
    #[must_use]
    pub fn text(run: &CommitInfo, with: &[Companion]) -> String {
        let (run, with) = (run.clone(), with.to_vec());
        serde_json::to_string(&Self { run, with }).unwrap_or_default()
    }

    fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    fn is_by(&self, job: &str) -> bool {
        self.run.job == job || self.with.iter().any(|other| other.job == job)
    }
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
        let info = row.optional_text(1).and_then(|text| Committed::read(&text));
        if info.is_some_and(|info| info.is_by(job)) {
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
            let committed = row.optional_text(4).and_then(|text| Committed::read(&text));
            let (run, with) = committed.map_or((None, Vec::new()), |committed| {
                (Some(committed.run), committed.with)
            });
            Ok(Snapshot {
                id: row.integer(0)?,
                time: row.text(1)?,
                author: row.optional_text(2),
                message: row.optional_text(3),
                run,
                with,
                changes: row
                    .optional_text(5)
                    .and_then(|text| serde_json::from_str(&text).ok())
                    .unwrap_or_default(),
            })
        })
        .collect()
}
