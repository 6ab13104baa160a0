//! The right to publish into a table.

use parser_core::plan::Catalog;
use parser_core::plan::sql::TableRef;

use super::{AdvisoryLock, LakeError, PublishGuard, PublishLocks};
use crate::engine::Engine;

/// A table that is written to.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Its lake.
    pub lake: &'a str,
    /// Where that keeps its catalog.
    pub catalog: &'a Catalog,
    /// `lake/table`
    pub asset_path: &'a str,
    /// How statements of the engine name it.
    pub table: &'a TableRef,
}

/// Held while one transaction is under way: in this process for the lake, and for as much of it as writers of other
/// processes and machines would conflict over.
pub struct Publishing {
    _here: PublishGuard,
    /// Processes on several machines write into a lake whose catalog is on a server: the lock is there, too.
    _on_server: Option<AdvisoryLock>,
}

impl Publishing {
    /// Waits for the right to publish into `place`, to whose lake `engine` is attached.
    ///
    /// # Errors
    /// [`LakeError::Cancelled`] once `cancelled` says so, [`LakeError::File`], [`LakeError::Engine`].
    pub fn wait(
        locks: &PublishLocks,
        engine: &Engine,
        place: Place<'_>,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, LakeError> {
        let by_table = match place.catalog {
            Catalog::Postgres { .. } => true,
            Catalog::Sqlite(_) | Catalog::DuckDb(_) => false,
        };
        let table = by_table.then_some(place.asset_path);
        Ok(Self {
            _here: locks.publish(place.lake, table, cancelled)?,
            _on_server: if by_table {
                Some(AdvisoryLock::wait(engine, place.table, cancelled)?)
            } else {
                None
            },
        })
    }
}
