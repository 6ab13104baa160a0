//! Publish locks: one publish per lake inside a process, one per table or per lake across processes.
//!
//! Two DuckLake transactions on one table conflict even on different slices, and threads of one process that publish
//! into one lake together have corrupted memory in this engine version. In a SQLite catalog a transaction cannot commit
//! once any other has, on whatever table: its snapshot of the catalog is too old ("database is locked", and waiting
//! does not help). Waiting before the transaction costs less than failing at its end.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::LakeError;

/// How long a waiter sleeps before it looks again. Short against a commit (30–40 ms), long against a system call.
const PAUSE: Duration = Duration::from_millis(4);

#[derive(Debug, Default)]
struct Gate {
    busy: Mutex<bool>,
    freed: Condvar,
}

/// The locks of a project.
#[derive(Debug)]
pub struct PublishLocks {
    folder: PathBuf,
    lakes: Mutex<BTreeMap<String, Arc<Gate>>>,
}

/// Holds both locks until it is dropped.
#[derive(Debug)]
pub struct PublishGuard {
    gate: Arc<Gate>,
    _file: Option<File>,
}

impl Drop for PublishGuard {
    fn drop(&mut self) {
        *self
            .gate
            .busy
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = false;
        self.gate.freed.notify_one();
    }
}

impl PublishLocks {
    /// Locks under `home/locks/`.
    #[must_use]
    pub fn new(home: &std::path::Path) -> Self {
        Self {
            folder: home.join("locks"),
            lakes: Mutex::default(),
        }
    }

    /// Waits for the right to publish into `lake`; across processes into `table` of it, or anywhere when `None`.
    ///
    /// # Errors
    /// [`LakeError::Cancelled`] once `cancelled` says so, [`LakeError::File`].
    pub fn publish(
        &self,
        lake: &str,
        table: Option<&str>,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<PublishGuard, LakeError> {
        let lake = lake.to_lowercase();
        let name = format!("{lake}/{}", table.unwrap_or_default().to_lowercase());
        let gate = self.gate(&lake);
        let mut busy = gate.busy.lock().unwrap_or_else(PoisonError::into_inner);
        while *busy {
            if cancelled() {
                return Err(LakeError::Cancelled(name));
            }
            busy = gate
                .freed
                .wait_timeout(busy, PAUSE * 10)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        *busy = true;
        drop(busy);
        // From here on the guard frees the gate on every way out.
        let mut guard = PublishGuard { gate, _file: None };
        guard._file = Some(self.file(&name, cancelled)?);
        Ok(guard)
    }

    fn gate(&self, lake: &str) -> Arc<Gate> {
        let mut lakes = self.lakes.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(lakes.entry(lake.to_owned()).or_default())
    }

    fn file(&self, name: &str, cancelled: &dyn Fn() -> bool) -> Result<File, LakeError> {
        let path = self.folder.join(format!("{}.lock", file_name(name)));
        let fail = |source| LakeError::File {
            path: path.clone(),
            source,
        };
        fs::create_dir_all(&self.folder).map_err(fail)?;
        // The file is never removed: a waiter on an unlinked file would not see the next holder.
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(fail)?;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if cancelled() => {
                    return Err(LakeError::Cancelled(name.to_owned()));
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(TryLockError::Error(source)) => return Err(fail(source)),
            }
        }
    }
}

/// A file name for any table name: readable where it can be, and distinct always.
fn file_name(name: &str) -> String {
    use sha2::{Digest, Sha256};
    let readable: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .take(60)
        .collect();
    let digest = Sha256::digest(name.as_bytes());
    format!(
        "{readable}-{:02x}{:02x}{:02x}{:02x}",
        digest[0], digest[1], digest[2], digest[3]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn one_at_a_time() {
        let home = tempfile::tempdir().unwrap();
        let locks = PublishLocks::new(home.path());
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        let _guard = locks.publish("Shop", Some("orders"), &|| false).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::sleep(Duration::from_millis(1));
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
    }

    #[test]
    fn a_waiter_can_be_cancelled() {
        let home = tempfile::tempdir().unwrap();
        let (ours, theirs) = (
            PublishLocks::new(home.path()),
            PublishLocks::new(home.path()),
        );
        let _held = theirs.publish("shop", Some("orders"), &|| false).unwrap();
        assert!(matches!(
            ours.publish("shop", Some("ORDERS"), &|| true),
            Err(LakeError::Cancelled(_))
        ));
        assert!(ours.publish("shop", Some("items"), &|| false).is_ok());
    }

    #[test]
    fn names_stay_distinct() {
        assert_ne!(file_name("a/b"), file_name("a-b"));
    }
}
