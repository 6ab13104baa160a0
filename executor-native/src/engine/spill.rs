//! Where engines put what does not fit into their memory: a folder each, which nobody else writes.
//!
//! The engine's names for its files are the same in every process, and two of them in one folder end both. It makes its
//! folder when it first spills, and only there, so the folder that holds the folders is made before. The lock file
//! beside each says whether its process is alive: the system frees it however that ends.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use crate::config::EngineConfig;
use crate::disk;
use crate::scratch::Scratch;

/// Others may keep files in the same folder.
const PREFIX: &str = "lakemill-spill-";

/// The folder of one engine. It goes with this, and so does what is in it.
#[derive(Debug)]
pub(super) struct Spill {
    folder: Scratch,
    _lock: Option<Lock>,
}

impl Spill {
    /// A folder below the configured one; where that is not there or cannot be written, as for a command that only looks, among the
    /// system's temporary ones.
    pub(super) fn new(config: &EngineConfig, root: &Path) -> Self {
        let base = folder(config, root);
        let name = format!("{PREFIX}{}-{}", std::process::id(), Uuid::now_v7());
        match Lock::take(&base, &name) {
            Ok(lock) => Self {
                folder: Scratch::at(base.join(name)),
                _lock: Some(lock),
            },
            Err(error) => {
                tracing::debug!(%error, folder = %base.display(), "spills among the system's temporary files");
                Self {
                    folder: Scratch::default(),
                    _lock: None,
                }
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Says that its folder is in use, until it is dropped.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn take(base: &Path, name: &str) -> io::Result<Self> {
        // It has its name once it is locked: who tidies never sees it free before.
        let unlocked = base.join(format!("{name}.new"));
        let path = base.join(format!("{name}.lock"));
        let file = File::create_new(&unlocked)?;
        let locked = file.lock().and_then(|()| fs::rename(&unlocked, &path));
        if let Err(error) = locked {
            let _ = fs::remove_file(&unlocked);
            return Err(error);
        }
        Ok(Self { path, _file: file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The folder that holds the engines' folders.
#[must_use]
pub fn folder(config: &EngineConfig, root: &Path) -> PathBuf {
    let configured = config.temp_directory.as_deref();
    let folder = root.join(configured.unwrap_or(Path::new(".lakemill/spill")));
    // The engine looks a relative one up from elsewhere than `root`.
    std::path::absolute(&folder).unwrap_or(folder)
}

/// Makes the folder, and removes in it what processes left that were killed.
///
/// # Errors
/// That it cannot be made, read or written.
pub fn tidy(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    if !disk::is_writable(folder) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if is_lock(&path) && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            tracing::debug!(file = %path.display(), "removes what a process left that was killed");
            let _ = fs::remove_dir_all(path.with_extension(""));
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}

/// Whether a file is a [`Lock`] by its whole name.
fn is_lock(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(".lock"));
    name.and_then(|name| name.split_once('-'))
        .is_some_and(|(process, id)| process.parse::<u32>().is_ok() && Uuid::parse_str(id).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, question};

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<_> = entries
            .map(|entry| name(entry).into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn config() -> EngineConfig {
        EngineConfig {
            memory_limit: Some("60MB".to_owned()),
            threads: Some(1),
            temp_directory: Some("spill".into()),
            ..EngineConfig::default()
        }
    }

    /// An engine that has spilled.
    fn spilling(root: &Path) -> Engine {
        let engine = Engine::open(&config(), root, &[]).unwrap();
        let sql = "CREATE TEMP TABLE t AS SELECT md5(range::VARCHAR) AS a FROM range(2000000)";
        engine.run(&question::test_only(sql)).unwrap();
        engine
    }

    #[test]
    fn engines_spill_apart_and_leave_nothing() {
        let root = tempfile::tempdir().unwrap();
        let base = folder(&config(), root.path());
        tidy(&base).unwrap();
        let engines = [spilling(root.path()), spilling(root.path())];
        let found = names(&base);
        assert_eq!(found.len(), 4, "{found:?}");
        tidy(&base).unwrap();
        assert_eq!(names(&base), found, "they are in use");
        for engine in &engines {
            let sum = question::test_only("SELECT count(DISTINCT a) FROM t");
            let rows = engine.query(&sum).unwrap();
            assert_eq!(rows.rows[0].integer(0).unwrap(), 2_000_000);
        }
        let [one, other] = engines;
        let beside = one.beside().unwrap();
        drop((one, other));
        assert_eq!(names(&base).len(), 2, "a session of the first is open");
        drop(beside);
        assert_eq!(names(&base), [""; 0]);
    }

    #[test]
    fn what_killed_processes_left_is_removed_and_nothing_else() {
        let base = tempfile::tempdir().unwrap();
        let dead = format!("{PREFIX}1-{}", Uuid::now_v7());
        for name in [dead.as_str(), "other", "lakemill-spill-x"] {
            fs::create_dir(base.path().join(name)).unwrap();
            fs::write(base.path().join(name).join("f"), "x").unwrap();
            fs::write(base.path().join(format!("{name}.lock")), "").unwrap();
        }
        tidy(base.path()).unwrap();
        let kept = [
            "lakemill-spill-x",
            "lakemill-spill-x.lock",
            "other",
            "other.lock",
        ];
        assert_eq!(names(base.path()), kept);
    }

    #[test]
    fn without_a_folder_that_can_be_written_it_spills_elsewhere() {
        let root = tempfile::tempdir().unwrap();
        drop(spilling(root.path()));
        assert_eq!(names(root.path()), [""; 0]);
    }
}
