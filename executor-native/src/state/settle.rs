//! Settling: a `running` record of a dead process becomes what the lake says.

use std::collections::BTreeMap;
use std::fs::File;

use super::owner::Life;
use super::{End, Owners, RunRecord, StateError, StateStore, Status, now_ms};
use crate::config::Project;
use crate::engine::EngineError;
use crate::lake::{LakeError, LakeReader};

/// What a settlement did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Runs that had committed before their process died.
    pub materialized: u32,
    /// Runs that had not.
    pub interrupted: u32,
    /// Lakes that could not be asked, and why: their runs stay `running`.
    pub open: Vec<String>,
}

/// Settles every `running` record whose owner is gone. Cheap when there is none.
///
/// # Errors
/// [`StateError`]; a lake that does not open is no error but a remark.
pub fn settle(project: &Project, state: &dyn StateStore) -> Result<Settled, StateError> {
    let mut settled = Settled::default();
    if state.running()?.is_empty() {
        return Ok(settled);
    }
    let home = project.home();
    let owners = Owners::new(&home);
    // One settler at a time, and one that waited sees what the other did: without this it would take the dead
    // owner's file, locked by the other settler, for a living one.
    let path = home.join("locks").join("settle.lock");
    let fail = |source| StateError::Lock {
        path: path.clone(),
        source,
    };
    std::fs::create_dir_all(home.join("locks")).map_err(fail)?;
    let lock = File::create(&path).map_err(fail)?;
    lock.lock().map_err(fail)?;

    let mut by_lake: BTreeMap<String, Vec<RunRecord>> = BTreeMap::new();
    let mut dead = Vec::new();
    for run in state.running()? {
        let gone = match owners.life(&run.owner) {
            Life::Alive => false,
            Life::Dead => true,
            Life::Unknown => run.lease_expires_at < now_ms(),
        };
        if gone {
            dead.push(run.owner.clone());
            let lake = run
                .asset
                .path
                .split('/')
                .next()
                .unwrap_or_default()
                .to_owned();
            by_lake.entry(lake).or_default().push(run);
        }
    }
    for (lake, runs) in by_lake {
        if let Err(error) = settle_lake(project, state, &lake, &runs, &mut settled) {
            match error {
                SettleError::State(error) => return Err(error),
                SettleError::Lake(error) => {
                    dead.retain(|owner| runs.iter().all(|run| run.owner != *owner));
                    settled.open.push(format!("{lake}: {error}"));
                }
            }
        }
    }
    for owner in dead {
        owners.forget(&owner);
    }
    Ok(settled)
}

enum SettleError {
    State(StateError),
    Lake(LakeError),
}

impl From<EngineError> for SettleError {
    fn from(error: EngineError) -> Self {
        Self::Lake(error.into())
    }
}

fn settle_lake(
    project: &Project,
    state: &dyn StateStore,
    lake: &str,
    runs: &[RunRecord],
    settled: &mut Settled,
) -> Result<(), SettleError> {
    let reader = match LakeReader::open(project, lake) {
        Ok(reader) => Some(reader),
        // Nothing was ever committed there.
        Err(LakeError::Absent(_)) => None,
        Err(error) => return Err(SettleError::Lake(error)),
    };
    for run in runs {
        let snapshot = match &reader {
            Some(reader) => reader.committed_by(&run.job)?,
            None => None,
        };
        let end = match (snapshot, &reader) {
            (Some(snapshot), Some(reader)) => {
                let name = run.asset.path.split_once('/').map_or("", |(_, name)| name);
                let (schema, table) = name.split_once('.').unwrap_or(("main", name));
                let partition = (!run.partition.is_empty()).then_some(run.partition.as_str());
                let rows = reader.count(&reader.table(schema, table), partition, Some(snapshot))?;
                settled.materialized += 1;
                End {
                    snapshot: Some(snapshot),
                    changed: Some(true),
                    rows: Some(rows),
                    error: None,
                    ..End::without_commit(Status::Materialized, "")
                }
            }
            (None, _) | (Some(_), None) => {
                settled.interrupted += 1;
                End::without_commit(
                    Status::Failed,
                    "interrupted: the process ended before the commit",
                )
            }
        };
        state
            .end(&run.job, &end, now_ms())
            .map_err(SettleError::State)?;
    }
    Ok(())
}
