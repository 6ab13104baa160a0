//! Diagnostics: what is wrong in a script, as plain data.
//!
//! They are made here and rendered at the edges (Monaco markers, terminal, JSON). Text rule: one
//! sentence that says what is wrong; the `hint` says what to write; no second person, no blame;
//! names from the script in back-ticks.

mod apply;
mod reference;
mod registry;
#[cfg(test)]
mod tests;

pub use apply::apply;
pub use reference::reference;
pub use registry::{Code, CodeInfo};

use std::ops::{Deref, DerefMut};

use crate::source::Span;

/// How bad it is. `Error` makes `lakemill check` and runs fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The script cannot run as it stands.
    Error,
    /// It runs, but something is dropped or surprising.
    Warning,
    /// Worth knowing.
    Info,
    /// An improvement.
    Hint,
}

impl Severity {
    /// Its name on the wire: `error`, `warning`, `info`, `hint`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
            Self::Hint => "hint",
        }
    }
}

/// One finding about a script.
///
/// A pointer to its [`Finding`]: it is handed from rule to rule, and there are many rules. What that costs in code counts in
/// the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic(Box<Finding>);

/// What a finding says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Stable code, with its registry entry.
    pub code: Code,
    /// Severity; the code's default unless a rule raises or lowers it.
    pub severity: Severity,
    /// One sentence: what is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// What to write instead.
    pub hint: Option<String>,
    /// A mechanical mend.
    pub fix: Option<Fix>,
}

/// A further place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub span: Span,
    /// What stands there.
    pub message: String,
}

/// Text edits that mend a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edit does, as a menu entry.
    pub title: String,
    /// Edits that do not overlap, in text order.
    pub edits: Vec<TextEdit>,
}

/// Replace the text under `span` by `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// Sorts findings as they stand in the text.
pub fn in_text_order(found: &mut [Diagnostic]) {
    crate::sort::by(found, |found| {
        [found.span.start, found.span.end, found.code as usize]
    });
}

impl Deref for Diagnostic {
    type Target = Finding;

    fn deref(&self) -> &Finding {
        &self.0
    }
}

impl DerefMut for Diagnostic {
    fn deref_mut(&mut self) -> &mut Finding {
        &mut self.0
    }
}

impl Diagnostic {
    /// A diagnostic with the code's default severity.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self(Box::new(Finding {
            code,
            severity: code.severity(),
            message: one_line(message.into()),
            span,
            related: Vec::new(),
            hint: None,
            fix: None,
        }))
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(one_line(hint.into()));
        self
    }

    /// Adds a mend of one edit.
    #[must_use]
    pub fn fix(self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        let edit = TextEdit {
            span,
            text: text.into(),
        };
        self.fix_all(title, vec![edit])
    }

    /// Adds a mend of several edits, in text order.
    #[must_use]
    pub fn fix_all(mut self, title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        self.fix = Some(Fix {
            title: title.into(),
            edits,
        });
        self
    }

    /// Adds the mend that writes `text` in place of `span`.
    #[must_use]
    pub fn change(self, span: Span, text: &str) -> Self {
        self.fix(format!("Change to `{text}`"), span, text)
    }

    /// Adds a place that explains it.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        self.related.push(Related { span, message });
        self
    }
}

/// A sentence about a script is one line, and a quoted name of the body may hold line ends.
fn one_line(sentence: String) -> String {
    if sentence.contains(char::is_control) {
        sentence.replace(char::is_control, " ")
    } else {
        sentence
    }
}
