//! What went wrong, and what to do about it.

use std::fmt;
use std::io;
use std::path::Path;

/// A failed step: the cause, and the action that mends it when one is known.
#[derive(Debug)]
pub(crate) struct Failure {
    cause: String,
    mend: Option<String>,
}

impl Failure {
    /// A failure without advice yet; see [`Failure::mend`].
    pub(crate) fn new(cause: impl Into<String>) -> Self {
        Self {
            cause: cause.into(),
            mend: None,
        }
    }

    /// A file operation that failed: `verb` is what was tried, as in "read".
    pub(crate) fn file(verb: &str, path: &Path, error: &io::Error) -> Self {
        Self::new(format!("cannot {verb} {}: {error}", path.display()))
    }

    /// Adds the advice, unless the failure already carries a more precise one.
    pub(crate) fn mend(mut self, advice: impl Into<String>) -> Self {
        self.mend.get_or_insert_with(|| advice.into());
        self
    }

    /// Says where in the run it happened.
    pub(crate) fn during(mut self, step: &str) -> Self {
        self.cause = format!("{step}: {}", self.cause);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.cause)?;
        match &self.mend {
            Some(advice) => write!(formatter, "\n  to mend it: {advice}"),
            None => Ok(()),
        }
    }
}
