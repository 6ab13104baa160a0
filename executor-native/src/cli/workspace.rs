//! What commands that look at records open first: project and state, with dead runs settled.

use std::path::Path;
use std::sync::Arc;

use super::failure::Failure;
use super::output::Output;
use crate::config::Project;
use crate::disk;
use crate::state::{self, StateStore, settle};

/// A project and its state.
pub(super) struct Workspace {
    pub(super) project: Project,
    pub(super) state: Arc<dyn StateStore>,
}

impl Workspace {
    /// For commands that run something.
    pub(super) fn open(directory: Option<&Path>, output: &Output) -> Result<Self, Failure> {
        let project = Project::open(directory)?;
        project.ensure_home()?;
        let state = state::open(&project.state()?)?;
        Self::settled(project, state, output)
    }

    /// For commands that only look: nothing is made, and nothing needs to be written.
    pub(super) fn look(directory: Option<&Path>, output: &Output) -> Result<Self, Failure> {
        let project = Project::open(directory)?;
        let state = state::open_to_read(&project.state()?)?;
        let home = project.home();
        if home.is_dir() && !disk::is_writable(&home) {
            // Those who may write settle what there is.
            return Ok(Self { project, state });
        }
        Self::settled(project, state, output)
    }

    fn settled(
        project: Project,
        state: Arc<dyn StateStore>,
        output: &Output,
    ) -> Result<Self, Failure> {
        let settled = settle(&project, state.as_ref())?;
        if settled.materialized + settled.interrupted > 0 {
            output.note(&format!(
                "settled runs of a process that ended early: {} had committed, {} had not",
                settled.materialized, settled.interrupted
            ));
        }
        for lake in settled.open {
            output.warning(&format!(
                "runs that are still open could not be settled: {lake}"
            ));
        }
        Ok(Self { project, state })
    }
}
