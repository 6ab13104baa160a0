//! A folder for what is only looked at, and SQLite databases that cannot be opened where they are.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::disk;

/// A folder, by default among the system's temporary ones. It is made when something is put into it, and goes with this.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Default for Scratch {
    fn default() -> Self {
        let name = format!("lakemill-{}", uuid::Uuid::now_v7());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Scratch {
    /// This folder, which nobody else uses.
    pub(crate) const fn at(folder: PathBuf) -> Self {
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Where a SQLite database can be read: itself, or a copy of it where it cannot be written. A database with a
    /// write-ahead log is only opened where files can be made beside it.
    ///
    /// # Errors
    /// That it cannot be copied.
    pub(crate) fn readable(&self, file: &Path) -> io::Result<PathBuf> {
        let folder = file.parent().unwrap_or(Path::new("."));
        if disk::is_writable(folder) && disk::is_writable(file) {
            return Ok(file.to_path_buf());
        }
        // One each: databases of several folders may have one name.
        let copies = self.0.join(uuid::Uuid::now_v7().to_string());
        fs::create_dir_all(&copies)?;
        let copy = copies.join("copy.sqlite");
        // The log first: what is moved from it into the database meanwhile is then in both.
        let log = |file: &Path| {
            let mut name = file.as_os_str().to_owned();
            name.push("-wal");
            PathBuf::from(name)
        };
        if log(file).exists() {
            contents(&log(file), &log(&copy))?;
        }
        contents(file, &copy)?;
        Ok(copy)
    }
}

/// Copies what a file holds, and not that it cannot be written.
fn contents(from: &Path, to: &Path) -> io::Result<()> {
    io::copy(&mut File::open(from)?, &mut File::create_new(to)?)?;
    Ok(())
}
