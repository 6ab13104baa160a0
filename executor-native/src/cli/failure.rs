//! How a command ends when it does not end well.

use std::process::ExitCode;

use parser_core::source::{LineIndex, Range};
use serde::Serialize;

use super::diagnostics::Located;
use crate::config::{ConfigError, ScriptFile, mask};
use crate::engine::EngineError;
use crate::lake::LakeError;
use crate::run::{RunError, SliceError};
use crate::state::StateError;
use crate::verify::TestOutcome;

/// A command that failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// Runs, checks or tests failed; all has been said already, as JSON too.
    #[error("")]
    Reported,
    /// The same, where the configuration is wrong.
    #[error("")]
    Misconfigured,
    /// A script is wrong, or failed: people have been told where, and `--json` has not.
    #[error("{}", .0.message)]
    Told(Box<ErrorReport>),
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
            Self::Reported | Self::Told(_) | Self::Failed(_) => ExitCode::from(1),
            Self::Misconfigured | Self::Usage(_) => ExitCode::from(2),
        }
    }

    /// How runs or tests end that have been reported one by one, each with its error if it has one.
    pub(super) fn of_reports(is_well: bool, is_misconfigured: bool) -> Result<(), Self> {
        match (is_well, is_misconfigured) {
            (true, _) => Ok(()),
            (false, true) => Err(Self::Misconfigured),
            (false, false) => Err(Self::Reported),
        }
    }
}

/// An error as `--json` prints it: of one run among others, or alone as `{"error": …}`.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorReport {
    pub(super) message: String,
    /// Its code, which `lakemill explain` explains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<&'static str>,
    /// The place in the script that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) range: Option<Range>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) data_tests: Vec<TestOutcome>,
    /// What is wrong in scripts that were not run for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) diagnostics: Vec<Located>,
    /// Whether it is the configuration that is wrong.
    #[serde(skip)]
    pub(super) is_misconfigured: bool,
}

impl ErrorReport {
    /// Without a place in a script.
    pub(super) fn plain(message: &str) -> Self {
        Self {
            message: mask(message),
            ..Self::default()
        }
    }

    /// A failed run of a script.
    pub(super) fn of_run(file: &ScriptFile, error: &RunError) -> Self {
        Self {
            code: error.code().map(|code| code.info().id),
            range: error
                .span()
                .map(|span| LineIndex::new(&file.text).range(span)),
            data_tests: match error {
                RunError::Tests { outcomes, .. } => outcomes.clone(),
                _ => Vec::new(),
            },
            is_misconfigured: match error {
                RunError::Config(error) => !error.is_of_a_file(),
                _ => false,
            },
            ..Self::plain(&error.to_string())
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
