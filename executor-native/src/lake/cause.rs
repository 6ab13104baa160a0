//! What lies behind a failure where the engine's words do not say it plainly: a disk without room, a server that is gone.
//! Both are looked for themselves; no text decides.

use std::path::{Path, PathBuf};

use parser_core::plan::{Catalog, LakeSource};

use super::storage::answers;
use crate::config::Project;
use crate::disk;
use crate::engine::Engine;

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
}

impl Cause {
    /// What keeps a lake from being read or written, when that is found.
    #[must_use]
    pub fn of(
        project: &Project,
        lake: &str,
        source: &LakeSource,
        engine: Option<&Engine>,
    ) -> Option<Self> {
        let data = Path::new(&source.data_path);
        if !source.data_path.contains("://") && disk::is_full(data) {
            return Some(Self::Full(data.to_path_buf()));
        }
        match &source.catalog {
            Catalog::Sqlite(file) | Catalog::DuckDb(file) => {
                let file = PathBuf::from(file);
                disk::is_full(&file).then_some(Self::Full(file))
            }
            Catalog::Postgres { .. } => {
                let connection = project.lake_connection(lake).ok().flatten()?;
                (!answers(engine?, &connection)).then(|| Self::Gone(lake.to_owned()))
            }
        }
    }
}
