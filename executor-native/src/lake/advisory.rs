//! The publish lock of a shared catalog: processes on other machines see no lock file of ours.

use std::time::Duration;

use parser_core::plan::sql::{Ident, TableRef};
use sha2::{Digest, Sha256};

use super::LakeError;
use crate::engine::{Engine, question};

/// How long a waiter sleeps before it asks again. Each question is a round trip to the server.
const PAUSE: Duration = Duration::from_millis(10);

/// An advisory lock of PostgreSQL, held until it is dropped. The server frees it when the process dies.
pub struct AdvisoryLock {
    /// A transaction is open here, and the lock is the transaction's.
    session: Engine,
}

impl Drop for AdvisoryLock {
    fn drop(&mut self) {
        let _ = self.session.run(&question::rollback());
    }
}

impl AdvisoryLock {
    /// Waits for the right to publish into `table`, in the database of its lake's catalog.
    ///
    /// # Errors
    /// [`LakeError::Cancelled`] once `cancelled` says so, [`LakeError::Engine`].
    pub fn wait(
        engine: &Engine,
        table: &TableRef,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, LakeError> {
        let lock = Self {
            session: engine.beside()?,
        };
        lock.session.run(&question::begin())?;
        let question = question::take_lock(&table.catalog, key(&table.schema, &table.table));
        loop {
            if lock.session.query(&question)?.one()?.truth(0) {
                return Ok(lock);
            }
            if cancelled() {
                return Err(LakeError::Cancelled(table.table.0.clone()));
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// The same for all projects, whatever they call the lake.
fn key(schema: &Ident, table: &Ident) -> i64 {
    advisory_key(&format!("lakemill publish {}.{}", schema.0, table.0).to_ascii_lowercase())
}

/// The number of an advisory lock that has a name.
#[must_use]
pub fn advisory_key(name: &str) -> i64 {
    let digest = Sha256::digest(name.as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&digest[..8]);
    i64::from_le_bytes(bytes)
}
