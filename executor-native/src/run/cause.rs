//! What lies behind a failure where the engine's words do not say it plainly: a disk without room, a server that is gone.
//! Both are looked for themselves; no text decides.

use std::path::PathBuf;

use parser_core::plan::{Catalog, Lakes};

use super::RunError;
use crate::config::Project;
use crate::disk;
use crate::engine::Engine;
use crate::lake;

/// Why a run could not go on, and what mends it.
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

/// `error` with its cause, when one is found.
pub(super) fn with_cause(
    error: RunError,
    project: &Project,
    lakes: &Lakes,
    engine: Option<&Engine>,
) -> RunError {
    let comes_from_outside = match &error {
        RunError::Script { .. }
        | RunError::Generated { .. }
        | RunError::Conflict { .. }
        | RunError::Lake(_)
        | RunError::Engine(_) => true,
        RunError::Config(error) => error.is_of_a_file(),
        RunError::Plan(_)
        | RunError::DuplicateKeys { .. }
        | RunError::LossyCasts { .. }
        | RunError::InexactValues { .. }
        | RunError::Test { .. }
        | RunError::Tests { .. }
        | RunError::Count { .. }
        | RunError::Cancelled
        | RunError::GivenUp
        | RunError::Unsure(_)
        | RunError::Outside { .. }
        | RunError::Slice(_)
        | RunError::State(_) => false,
    };
    if !comes_from_outside {
        return error;
    }
    match full(project, lakes).or_else(|| gone(project, lakes, engine?)) {
        Some(cause) => RunError::Outside {
            error: Box::new(error),
            cause,
        },
        None => error,
    }
}

fn full(project: &Project, lakes: &Lakes) -> Option<Cause> {
    let mut folders = vec![project.home(), std::env::temp_dir()];
    for source in lakes.sources() {
        match &source.catalog {
            Catalog::Sqlite(file) | Catalog::DuckDb(file) => folders.push(PathBuf::from(file)),
            Catalog::Postgres { .. } => {}
        }
        if !source.data_path.contains("://") {
            folders.push(PathBuf::from(&source.data_path));
        }
    }
    let full = folders.iter().find(|folder| disk::is_full(folder))?;
    Some(Cause::Full(full.clone()))
}

fn gone(project: &Project, lakes: &Lakes, engine: &Engine) -> Option<Cause> {
    lakes
        .iter()
        .filter(|(_, source)| matches!(source.catalog, Catalog::Postgres { .. }))
        .find(|(name, _)| {
            let connection = project.lake_connection(name).ok().flatten();
            connection.is_some_and(|connection| !lake::answers(engine, &connection))
        })
        .map(|(name, _)| Cause::Gone(name.to_owned()))
}
