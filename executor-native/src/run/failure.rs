//! Why a run failed, and what mends it.

use std::fmt;

use parser_core::diagnostic::Code;
use parser_core::plan::PlanError;
use parser_core::source::Span;

use super::{SliceError, TimedOut};
use crate::config::ConfigError;
use crate::engine::{EngineError, Fault, confinement};
use crate::lake::{Cause, LakeError};
use crate::state::StateError;
use crate::verify::{self, TestOutcome};

/// A failed run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The plan cannot be built: the message says why and what to write.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A statement of the script failed.
    #[error("{message}")]
    Script {
        /// The engine's words.
        message: String,
        /// Where in the script.
        span: Span,
        /// What may mend it.
        hint: Option<String>,
    },
    /// The script has what a confined session would not confine.
    #[error("{what} is refused: {}", confinement::SETTING)]
    Confined {
        /// Which.
        what: String,
        /// Where in the script.
        span: Span,
    },
    /// A generated statement failed.
    #[error("while {stage}: {fault}")]
    Generated {
        /// What was being done.
        stage: &'static str,
        /// The engine's words.
        fault: Fault,
    },
    /// Several rows for one key; nothing was written.
    #[error(
        "{keys} value(s) of the key `{key}` stand in more than one row of the SELECT (for example {examples}): the table `{table}` is unchanged. Keep one row per key, for instance with `QUALIFY row_number() OVER (PARTITION BY {key} ORDER BY …) = 1`, or use `append`"
    )]
    DuplicateKeys {
        /// How many key values.
        keys: i64,
        /// Key columns.
        key: String,
        /// Up to five.
        examples: String,
        /// `lake/table`
        table: String,
    },
    /// A cast to the table's type would lose values; nothing was written.
    #[error(
        "values do not fit the type of the table's column: {columns}: the table `{table}` is unchanged. Cast them in the SELECT, or materialise under another name"
    )]
    LossyCasts {
        /// Each column, with how many values and an example.
        columns: String,
        /// `lake/table`
        table: String,
    },
    /// The lake's files would hold other values; nothing was written.
    #[error(
        "a DuckLake would not hold every value as it is: {columns}: the table `{table}` is unchanged"
    )]
    InexactValues {
        /// Each column, with how many values and what to cast them to.
        columns: String,
        /// `lake/table`
        table: String,
    },
    /// A data test names a column that the table does not have, or a table that is not there.
    #[error("the data test `{test}` cannot run: {reason}")]
    Test {
        /// Which.
        test: String,
        /// Why.
        reason: String,
        /// Where it is declared.
        span: Span,
    },
    /// Data tests found violations.
    #[error("{}{}", verify::verdict(.outcomes), if *.committed { "; the snapshot stays" } else { "; nothing was published" })]
    Tests {
        /// Of every test.
        outcomes: Vec<TestOutcome>,
        /// Whether the rows were committed before they were tested.
        committed: bool,
    },
    /// The commit did not come to stand in the lake, in spite of retries.
    #[error(
        "another writer kept changing `{table}`: {attempts} attempts to publish failed; the last one said: {last}. Run it again, or raise `[run] publish_attempts`"
    )]
    Conflict {
        /// `lake/table`
        table: String,
        /// How often it was tried.
        attempts: u32,
        /// The last error.
        last: String,
    },
    /// The table has not the rows that the run wrote.
    #[error(
        "after the commit `{table}` has {found} row(s) where {expected} are expected: another writer changed it outside lakemill. Run it again"
    )]
    Count {
        /// `lake/table`
        table: String,
        /// By `count(*)`.
        found: i64,
        /// By the run.
        expected: i64,
    },
    /// Stopped from outside, or because its time was over.
    #[error("{0}")]
    Cancelled(Stopped),
    /// Another process has settled the run; nothing was published.
    #[error(
        "this run was cut off from the state store for so long that another lakemill took it for dead and recorded it as failed; nothing was published. Run it again"
    )]
    GivenUp,
    /// The lake went away while the run committed.
    #[error(
        "{0}. Whether the run's rows are in the lake is not known: once it can be reached again, the next lakemill command finds out and records it"
    )]
    Unsure(Box<RunError>),
    /// Another slice of those that were to be published together failed.
    #[error("not published: it was to be one snapshot with the slice `{slice}`, which failed")]
    Together {
        /// Which.
        slice: String,
    },
    /// Slices that cannot be published together.
    #[error("its slices cannot be published as one snapshot: {0}. Run it without `--atomic`")]
    NotTogether(&'static str),
    /// Something outside lakemill failed it.
    #[error("{error}. What is behind it: {cause}")]
    Outside {
        /// What was seen of it.
        error: Box<RunError>,
        /// What it is.
        cause: Cause,
    },
    /// The slice cannot be told.
    #[error(transparent)]
    Slice(#[from] SliceError),
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A lake.
    #[error(transparent)]
    Lake(LakeError),
    /// The engine.
    #[error(transparent)]
    Engine(EngineError),
    /// The record of runs.
    #[error(transparent)]
    State(#[from] StateError),
}

/// How a run was cancelled.
#[derive(Clone, Debug, Default)]
pub struct Stopped {
    /// What was over; `None` when somebody asked for it.
    pub timed_out: Option<TimedOut>,
    /// What it had done.
    pub left: Left,
}

/// What a cancelled run leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Left {
    /// It was to change nothing.
    #[default]
    Untouched,
    /// It was rolled back.
    Nothing,
    /// It had committed.
    Snapshot,
    /// The script writes by itself.
    OwnWrites,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.timed_out {
            Some(timed_out) => write!(f, "cancelled after {timed_out}")?,
            None => f.write_str("cancelled")?,
        }
        f.write_str(match self.left {
            Left::Untouched => "",
            Left::Nothing => "; nothing was published",
            Left::Snapshot => "; the snapshot stays, not all of its data tests have run",
            Left::OwnWrites => "; what the script wrote before stays",
        })
    }
}

impl From<EngineError> for RunError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Interrupted => Self::Cancelled(Stopped::default()),
            EngineError::Open(_)
            | EngineError::Extension { .. }
            | EngineError::Statement(_)
            | EngineError::Shape(_) => Self::Engine(error),
        }
    }
}

impl From<LakeError> for RunError {
    fn from(error: LakeError) -> Self {
        match error {
            LakeError::Cancelled(_) => Self::Cancelled(Stopped::default()),
            LakeError::Engine(error) => error.into(),
            LakeError::Config(error) => error.into(),
            LakeError::Outside { error, cause } => Self::Outside {
                error: Box::new((*error).into()),
                cause,
            },
            LakeError::Absent(_) | LakeError::NoTable(_) | LakeError::File { .. } => {
                Self::Lake(error)
            }
        }
    }
}

impl RunError {
    /// Its code, when it has one.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Plan(error) => Some(error.diagnostic().code),
            Self::Test { .. } => Some(Code::LM313),
            Self::Outside { error, .. } => error.code(),
            Self::Script { .. }
            | Self::Confined { .. }
            | Self::Generated { .. }
            | Self::LossyCasts { .. }
            | Self::InexactValues { .. }
            | Self::DuplicateKeys { .. }
            | Self::Tests { .. }
            | Self::Conflict { .. }
            | Self::Count { .. }
            | Self::Cancelled(_)
            | Self::GivenUp
            | Self::Unsure(_)
            | Self::Together { .. }
            | Self::NotTogether(_)
            | Self::Slice(_)
            | Self::Config(_)
            | Self::Lake(_)
            | Self::Engine(_)
            | Self::State(_) => None,
        }
    }

    /// Where in the script it is, when it has a place there.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Script { span, .. } | Self::Confined { span, .. } | Self::Test { span, .. } => {
                Some(*span)
            }
            Self::Plan(error) => Some(error.diagnostic().span),
            Self::Outside { error, .. } => error.span(),
            Self::Generated { .. }
            | Self::LossyCasts { .. }
            | Self::InexactValues { .. }
            | Self::DuplicateKeys { .. }
            | Self::Tests { .. }
            | Self::Conflict { .. }
            | Self::Count { .. }
            | Self::Cancelled(_)
            | Self::GivenUp
            | Self::Unsure(_)
            | Self::Together { .. }
            | Self::NotTogether(_)
            | Self::Slice(_)
            | Self::Config(_)
            | Self::Lake(_)
            | Self::Engine(_)
            | Self::State(_) => None,
        }
    }
}
