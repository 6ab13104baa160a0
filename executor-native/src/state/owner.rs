//! Who is alive: each process holds a lock file that the system releases when the process ends, however it ends.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::StateError;

/// This process, as the owner of runs. Its file goes when it is dropped.
#[derive(Debug)]
pub struct Owner {
    /// UUID; in each record of a run.
    pub id: String,
    path: PathBuf,
    leaves_runs: AtomicBool,
    _lock: File,
}

impl Owner {
    /// A run of this process will not be settled by it: its file stays, so that others see at once that it is gone.
    pub fn leave_behind(&self) {
        self.leaves_runs.store(true, Ordering::Relaxed);
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        if self.leaves_runs.load(Ordering::Relaxed) {
            return;
        }
        // Not vital: a file that stays behind is unlocked, which says "gone" just as well.
        let _ = fs::remove_file(&self.path);
    }
}

/// The owners of a project: `.lakemill/owners/`.
#[derive(Clone, Debug)]
pub struct Owners {
    folder: PathBuf,
}

/// What a lock file says about its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Its lock is held.
    Alive,
    /// Its lock is free.
    Dead,
    /// There is no file here: another machine, or the owner left in good order.
    Unknown,
}

impl Owners {
    /// The owners under `home` (`.lakemill/`).
    #[must_use]
    pub fn new(home: &Path) -> Self {
        Self {
            folder: home.join("owners"),
        }
    }

    /// Registers this process.
    ///
    /// # Errors
    /// [`StateError::Lock`]
    pub fn register(&self) -> Result<Owner, StateError> {
        let id = uuid::Uuid::now_v7().to_string();
        let path = self.path(&id);
        let fail = |source| StateError::Lock {
            path: path.clone(),
            source,
        };
        fs::create_dir_all(&self.folder).map_err(fail)?;
        let lock = File::create(&path).map_err(fail)?;
        // Nobody asks about this id before a record names it, so the lock is free.
        lock.lock().map_err(fail)?;
        Ok(Owner {
            id,
            path,
            leaves_runs: AtomicBool::new(false),
            _lock: lock,
        })
    }

    /// Whether `id` is alive.
    #[must_use]
    pub fn life(&self, id: &str) -> Life {
        let Ok(file) = File::open(self.path(id)) else {
            return Life::Unknown;
        };
        match file.try_lock_shared() {
            Ok(()) => Life::Dead,
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => Life::Alive,
        }
    }

    /// Forgets a dead owner.
    pub fn forget(&self, id: &str) {
        let _ = fs::remove_file(self.path(id));
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.lock"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_is_alive_until_it_goes() {
        let home = tempfile::tempdir().unwrap();
        let owners = Owners::new(home.path());
        let owner = owners.register().unwrap();
        assert_eq!(owners.life(&owner.id), Life::Alive);
        let id = owner.id.clone();
        drop(owner);
        assert_eq!(owners.life(&id), Life::Unknown);
        let owner = owners.register().unwrap();
        let id = owner.id.clone();
        owner.leave_behind();
        drop(owner);
        assert_eq!(owners.life(&id), Life::Dead);
    }
}
