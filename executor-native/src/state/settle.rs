//! Settling: a `running` record of a dead process becomes what the lake says.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use parser_core::plan::{Catalog, LakeSource, Strategy};

use super::owner::Life;
use super::{End, Leaves, Owners, RunRecord, StateError, StateStore, Status, now_ms};
use crate::config::Project;
use crate::engine::EngineError;
use crate::lake::{LakeError, LakeReader, Place, PublishLocks};

/// How long to wait for a publish of a run that is taken for dead. One that is under way shows that it is not.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long to wait for commits that a catalog's server is still busy with.
const LONGEST_COMMIT: Duration = Duration::from_secs(10);

/// Of a run that committed and died before its data tests were through.
const UNTESTED: &str = "interrupted: the rows are in the lake, and the data tests have no outcome. Look with `lakemill test`, and run it again";

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

/// A run whose process ended early.
struct Orphan {
    run: RunRecord,
    /// Its lock file is here and free. Else its silence is all that speaks for its death.
    is_surely_dead: bool,
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
    // Where no run was ever started there are no files of owners to be locked.
    let _lock = home.is_dir().then(|| one_at_a_time(&home)).transpose()?;

    let mut by_lake: BTreeMap<Option<String>, Vec<Orphan>> = BTreeMap::new();
    let mut dead = Vec::new();
    for run in state.running()? {
        let is_surely_dead = match owners.life(&run.owner) {
            Life::Alive => continue,
            Life::Dead => true,
            Life::Unknown if state.is_abandoned(&run)? => false,
            Life::Unknown => continue,
        };
        dead.push(run.owner.clone());
        let lake = (run.asset.kind == "ducklake")
            .then(|| run.asset.path.split('/').next().unwrap_or_default())
            .map(str::to_owned);
        by_lake.entry(lake).or_default().push(Orphan {
            run,
            is_surely_dead,
        });
    }
    for (lake, orphans) in by_lake {
        let done = match &lake {
            Some(lake) => settle_lake(project, state, lake, &orphans, &mut settled),
            // What writes something else leaves no trace of its job.
            None => orphans.iter().try_for_each(|orphan| {
                let end = interrupted();
                settled.interrupted += u32::from(state.end(&orphan.run.job, &end, now_ms())?);
                Ok(())
            }),
        };
        if let Err(error) = done {
            match error {
                SettleError::State(error) => return Err(error),
                SettleError::Lake(error) => {
                    dead.retain(|owner| orphans.iter().all(|orphan| orphan.run.owner != *owner));
                    let lake = lake.unwrap_or_default();
                    settled.open.push(format!("{lake}: {error}"));
                }
                SettleError::UnderWay => {
                    dead.retain(|owner| orphans.iter().all(|orphan| orphan.run.owner != *owner));
                    let lake = lake.unwrap_or_default();
                    settled
                        .open
                        .push(format!("{lake}: a commit to it is still under way"));
                }
                SettleError::Elsewhere => {
                    let lake = lake.unwrap_or_default();
                    settled.open.push(format!(
                        "{lake}: the run was on another machine, whose files the lake's catalog is in; a lakemill command \
                         there settles it"
                    ));
                }
            }
        }
    }
    for owner in dead {
        owners.forget(&owner);
    }
    Ok(settled)
}

/// One settler at a time, and one that waited sees what the other did: without this it would take the dead owner's file, locked
/// by the other settler, for a living one.
fn one_at_a_time(home: &Path) -> Result<File, StateError> {
    let folder = home.join("locks");
    let path = folder.join("settle.lock");
    let lock = std::fs::create_dir_all(&folder)
        .and_then(|()| File::create(&path))
        .and_then(|lock| lock.lock().map(|()| lock));
    lock.map_err(|source| StateError::Lock { path, source })
}

enum SettleError {
    State(StateError),
    Lake(LakeError),
    /// A commit has begun that may be one of theirs.
    UnderWay,
    /// The catalog is a file, and perhaps not the one that the run wrote.
    Elsewhere,
}

impl From<StateError> for SettleError {
    fn from(error: StateError) -> Self {
        Self::State(error)
    }
}

impl From<LakeError> for SettleError {
    fn from(error: LakeError) -> Self {
        Self::Lake(error)
    }
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
    orphans: &[Orphan],
    settled: &mut Settled,
) -> Result<(), SettleError> {
    let source = project.lake(lake).map_err(LakeError::from)?;
    let reader = match LakeReader::open(project, lake) {
        Ok(reader) => Some(reader),
        // Nothing was ever committed there.
        Err(LakeError::Absent(_)) => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(reader) = &reader
        && !reader.wait_for_commits(LONGEST_COMMIT)?
    {
        return Err(SettleError::UnderWay);
    }
    for orphan in orphans {
        settle_run(project, state, &source, reader.as_ref(), orphan, settled)?;
    }
    Ok(())
}

fn settle_run(
    project: &Project,
    state: &dyn StateStore,
    source: &LakeSource,
    reader: Option<&LakeReader>,
    Orphan {
        run,
        is_surely_dead,
    }: &Orphan,
    settled: &mut Settled,
) -> Result<(), SettleError> {
    if !is_surely_dead && state.is_shared() && !matches!(source.catalog, Catalog::Postgres { .. }) {
        return Err(SettleError::Elsewhere);
    }
    let (lake, name) = run.asset.path.split_once('/').unwrap_or_default();
    let (schema, table) = name.split_once('.').unwrap_or(("main", name));
    let table = reader.map(|reader| (reader, reader.table(schema, table)));
    let held = match &table {
        Some((reader, table)) if !is_surely_dead => {
            let place = Place {
                lake,
                catalog: &source.catalog,
                asset_path: &run.asset.path,
                table,
            };
            let since = Instant::now();
            let locks = PublishLocks::new(&project.home());
            match reader.wait_to_publish(&locks, place, &|| since.elapsed() > PATIENCE) {
                Ok(held) => Some(held),
                Err(LakeError::Cancelled(_)) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        Some(_) | None => None,
    };
    let found = match &table {
        Some((reader, table)) => reader
            .committed_by(&run.job)?
            .map(|snapshot| (reader, table, snapshot)),
        None => None,
    };
    let end = match found {
        Some((reader, table, snapshot)) => {
            let partition = (!run.partition.is_empty()).then_some(run.partition.as_str());
            let rows = reader.count(table, partition, Some(snapshot))?;
            let (status, error) = if run.data_tests.is_some() {
                (Status::Failed, Some(UNTESTED.to_owned()))
            } else {
                (Status::Materialized, None)
            };
            let leaves = if run.strategy == Strategy::Rebuild.as_str() {
                Leaves::Only(reader.slices_at(table, snapshot)?)
            } else if partition.is_none() {
                Leaves::Own
            } else {
                Leaves::All
            };
            End {
                snapshot: Some(snapshot),
                changed: Some(true),
                rows: Some(rows),
                error,
                leaves,
                ..End::without_commit(status, "")
            }
        }
        None => interrupted(),
    };
    let done = u32::from(state.end(&run.job, &end, now_ms())?);
    drop(held);
    match end.snapshot {
        Some(_) => settled.materialized += done,
        None => settled.interrupted += done,
    }
    Ok(())
}

fn interrupted() -> End {
    End::without_commit(
        Status::Failed,
        "interrupted: the process ended before the commit",
    )
}
