//! A failed run and what is behind it.

use parser_core::plan::Lakes;

use super::RunError;
use crate::config::Project;
use crate::disk;
use crate::lake::Cause;

/// `error` with its cause, when one is found.
pub(super) fn with_cause(error: RunError, project: &Project, lakes: &Lakes) -> RunError {
    let comes_from_outside = match &error {
        RunError::Script { .. }
        | RunError::Generated { .. }
        | RunError::Conflict { .. }
        | RunError::Lake(_)
        | RunError::Engine(_) => true,
        RunError::Config(error) => error.is_of_a_file(),
        RunError::Plan(_)
        | RunError::Confined { .. }
        | RunError::DuplicateKeys { .. }
        | RunError::LossyCasts { .. }
        | RunError::InexactValues { .. }
        | RunError::Test { .. }
        | RunError::Tests { .. }
        | RunError::Count { .. }
        | RunError::Cancelled(_)
        | RunError::GivenUp
        | RunError::Unsure(_)
        | RunError::Together { .. }
        | RunError::NotTogether(_)
        | RunError::Outside { .. }
        | RunError::Slice(_)
        | RunError::State(_) => false,
    };
    if !comes_from_outside {
        return error;
    }
    let own = [project.home(), project.spill_folder(), std::env::temp_dir()];
    let full = own.into_iter().find(|folder| disk::is_full(folder));
    let cause = full.map(Cause::Full).or_else(|| {
        let mut lakes = lakes.iter();
        lakes.find_map(|(name, source)| Cause::of(project, name, source))
    });
    match cause {
        Some(cause) => RunError::Outside {
            error: Box::new(error),
            cause,
        },
        None => error,
    }
}
