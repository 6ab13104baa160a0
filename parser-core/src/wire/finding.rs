//! Findings, as JSON.

use serde::{Deserialize, Serialize};

use super::shape::{objects, reads, words};
use crate::source::Range;

objects! {
    /// A finding.
    pub struct Diagnostic {
        /// Stable code.
        pub code: String,
        /// Its name.
        pub name: String,
        /// How bad it is.
        pub severity: Severity,
        /// One sentence: what is wrong.
        pub message: String,
        /// Where.
        pub range: Range,
        /// Places that explain it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub related: Vec<Related>,
        /// What to write instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hint: Option<String>,
        /// A mechanical mend.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fix: Option<Fix>,
    }

    /// A place that explains a finding.
    pub struct Related {
        /// What stands there.
        pub message: String,
        /// Where.
        pub range: Range,
    }

    /// Edits that mend a finding.
    pub struct Fix {
        /// What they do.
        pub title: String,
        /// In text order, without overlap.
        pub edits: Vec<TextEdit>,
    }

    /// Replace `range` by `text`.
    pub struct TextEdit {
        /// The new text.
        pub text: String,
        /// What is replaced.
        pub range: Range,
    }
}

// What a fix is applied from.
reads!(Fix {
    title: "title",
    edits: "edits",
});
reads!(TextEdit {
    text: "text",
    range: "range",
});
reads!(Range {
    start: "start",
    end: "end",
    utf16_start: "utf16Start",
    utf16_end: "utf16End",
    start_line: "startLine",
    start_column: "startColumn",
    end_line: "endLine",
    end_column: "endColumn",
});

words! {
    /// How bad a finding is.
    pub enum Severity from crate::diagnostic::Severity {
        Error = "error", Warning = "warning", Info = "info", Hint = "hint",
    }
}
