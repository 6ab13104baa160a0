//! How a command ends when it does not end well.

use std::process::ExitCode;

use crate::config::ConfigError;
use crate::engine::EngineError;
use crate::lake::LakeError;
use crate::run::{RunError, SliceError};
use crate::state::StateError;

/// A command that failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// Runs, checks or tests failed; all has been said already.
    #[error("")]
    Reported,
    /// A run, a lake, the engine, the state.
    #[error("{0}")]
    Failed(String),
    /// The command line or the configuration; exit status 2.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    pub(super) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Reported | Self::Failed(_) => ExitCode::from(1),
            Self::Usage(_) => ExitCode::from(2),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<StateError> for Failure {
    fn from(error: StateError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<LakeError> for Failure {
    fn from(error: LakeError) -> Self {
        match error {
            LakeError::Config(error) => error.into(),
            LakeError::Absent(_)
            | LakeError::NoTable(_)
            | LakeError::File { .. }
            | LakeError::Cancelled(_)
            | LakeError::Outside { .. }
            | LakeError::Engine(_) => Self::Failed(error.to_string()),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Config(error) => error.into(),
            RunError::Slice(error) => error.into(),
            other => Self::Failed(other.to_string()),
        }
    }
}

impl From<SliceError> for Failure {
    fn from(error: SliceError) -> Self {
        Self::Usage(error.to_string())
    }
}
