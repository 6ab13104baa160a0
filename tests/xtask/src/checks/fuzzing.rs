//! Texts that nobody thought of.

use crate::failure::Failure;
use crate::fuzz::{self, Draw};
use crate::workspace::Workspace;

/// How long each target runs: enough to find what a change has broken, not what has been hidden for long.
const SECONDS: u64 = 60;

pub(super) fn targets(workspace: &Workspace) -> Result<(), Failure> {
    fuzz::run(workspace, &fuzz::targets(workspace)?, SECONDS, Draw::Alike)
}
