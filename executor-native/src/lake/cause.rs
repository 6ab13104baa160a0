//! What lies behind a failure where the engine's words do not say it plainly: a disk without room, a server that is
//! gone, a file that another process holds. All are looked for themselves; no text decides.

use std::path::{Path, PathBuf};

use parser_core::plan::{Catalog, LakeSource};

use super::storage::answers;
use crate::config::Project;
use crate::disk;
use crate::engine::Engine;
use crate::engine::extensions::Extension;

/// Why something could not go on, and what mends it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// There is no room where it must write.
    #[error("the disk of {} is full: free some space there and run again", .0.display())]
    Full(PathBuf),
    /// A catalog cannot be reached.
    #[error(
        "the PostgreSQL server with the catalog of the lake `{0}` does not answer: start it, or correct the lake's `catalog`, and run again"
    )]
    Gone(String),
    /// Another process has the catalog open.
    #[error(
        "the process {process} has the lake `{lake}` open, whose catalog is a DuckDB file, for one process at a time: wait until it is done, or give the lake a `sqlite:` or `postgres:` catalog"
    )]
    Locked {
        /// The lake.
        lake: String,
        /// The id of the process.
        process: u32,
    },
}

impl Cause {
    /// What keeps a lake from being read or written, when that is found.
    #[must_use]
    pub fn of(project: &Project, lake: &str, source: &LakeSource) -> Option<Self> {
        let data = Path::new(&source.data_path);
        if !source.data_path.contains("://") && disk::is_full(data) {
            return Some(Self::Full(data.to_path_buf()));
        }
        match &source.catalog {
            Catalog::Sqlite(file) | Catalog::DuckDb(file) => {
                let path = PathBuf::from(file);
                if disk::is_full(&path) {
                    return Some(Self::Full(path));
                }
                let is_exclusive = matches!(source.catalog, Catalog::DuckDb(_));
                let process = is_exclusive.then(|| disk::locked_by(&path)).flatten()?;
                Some(Self::Locked {
                    lake: lake.to_owned(),
                    process,
                })
            }
            Catalog::Postgres { .. } => {
                let connection = project.lake_connection(lake).ok().flatten()?;
                // An engine of its own: the one that failed may be broken, or confined to what it had attached.
                let needs = Extension::for_lakes([source]);
                let engine = Engine::open(&project.config.engine, &project.root, &needs).ok()?;
                (!answers(&engine, &connection)).then(|| Self::Gone(lake.to_owned()))
            }
        }
    }
}
