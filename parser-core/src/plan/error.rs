//! Why a plan cannot be made.

use super::drift::{Drift, quoted};
use crate::body::partition_tokens::SubstituteError;
use crate::diagnostic::{Code, Diagnostic};
use crate::partition::PartitionError;
use crate::source::Span;

/// Why a plan cannot be made. Each becomes a [`Diagnostic`] of code LM300 onwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// The body is not setup statements and one output, or the target cannot be materialised:
    /// `check` says more.
    Invalid(Box<Diagnostic>),
    /// The script names a lake that is not declared.
    UnknownLake {
        /// The name.
        lake: String,
        /// Declared ones.
        known: Vec<String>,
        /// Where it stands.
        span: Span,
    },
    /// The target is no table of a lake.
    TargetNotATable {
        /// The asset as written.
        target: String,
        /// Where it stands.
        span: Span,
    },
    /// `partitioned`, and no slice was given.
    NoSlice {
        /// The annotation.
        span: Span,
    },
    /// A slice was given, and the script is not partitioned.
    NotPartitioned {
        /// The `materialize` line.
        span: Span,
        /// The slice's value.
        value: String,
    },
    /// The slice is not one of the script's.
    Slice(PartitionError, Span),
    /// A `{partition}` token cannot be replaced.
    Token(SubstituteError),
    /// The target's name belongs to a view.
    TargetIsView {
        /// `lake/table`.
        target: String,
        /// The `materialize` line.
        span: Span,
    },
    /// The table lacks `_wm_partition`, or the script lacks `partitioned`.
    PartitionLayout {
        /// `lake/table`.
        target: String,
        /// What is wrong.
        problem: &'static str,
        /// The `materialize` line.
        span: Span,
    },
    /// A key column is not in the SELECT.
    KeyColumn {
        /// The column.
        column: String,
        /// The SELECT's columns.
        known: Vec<String>,
        /// Where the key is declared.
        span: Span,
    },
    /// A key column is not in the table.
    KeyNotInTable {
        /// The column.
        column: String,
        /// `lake/table`.
        target: String,
        /// Where the key is declared.
        span: Span,
    },
    /// The SELECT has a column that lakemill adds itself.
    ReservedColumn {
        /// The column.
        column: String,
        /// The output statement.
        span: Span,
    },
    /// The SELECT has a column name twice; the engine would rename one silently.
    DuplicateColumn {
        /// The column.
        column: String,
        /// The output statement.
        span: Span,
    },
    /// A column's type cannot be stored.
    Unstorable {
        /// The column.
        column: String,
        /// Its type.
        data_type: String,
        /// What it is.
        what: &'static str,
        /// What to cast it to.
        cast: &'static str,
        /// The output statement.
        span: Span,
    },
    /// The columns differ and the policy forbids it.
    SchemaChange {
        /// `lake/table`.
        target: String,
        /// The differences.
        drift: Drift,
        /// The `materialize` line.
        span: Span,
    },
    /// No column of the SELECT is in the table.
    NothingInCommon {
        /// `lake/table`.
        target: String,
        /// The output statement.
        span: Span,
    },
    /// A data test names a column that the table does not have.
    TestColumn {
        /// The test.
        test: String,
        /// The column.
        column: String,
        /// Known ones.
        known: Vec<String>,
        /// The test's line.
        span: Span,
    },
    /// A data test that cannot be run.
    TestKind {
        /// The test.
        test: String,
        /// Why, as a verb phrase.
        reason: String,
        /// The test's line.
        span: Span,
    },
    /// A lake whose catalog is a DuckDB file can be attached once per engine.
    SingleAttachment {
        /// The lake.
        lake: String,
        /// What was asked for.
        wanted: &'static str,
        /// The ATTACH.
        span: Span,
    },
    /// Something that this version does not do.
    NotThereYet {
        /// What.
        what: &'static str,
        /// What to write instead.
        instead: &'static str,
        /// Where it stands.
        span: Span,
    },
}

impl PlanError {
    /// The error as a diagnostic of the script.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::Invalid(diagnostic) => (**diagnostic).clone(),
            Self::UnknownLake { lake, known, span } => {
                Diagnostic::new(Code::LM300, *span, format!("the lake `{lake}` is not declared"))
                    .hint(format!("declare it in lakemill.toml as `[lakes.{lake}]`, or use one of {}", quoted(known)))
            }
            Self::TargetNotATable { target, span } => {
                Diagnostic::new(Code::LM316, *span, format!("`{target}` is no table of a lake"))
                    .hint("write `ducklake://lake/table`")
            }
            Self::NoSlice { span } => {
                Diagnostic::new(Code::LM301, *span, "the script is partitioned and no partition was given")
                    .hint("give one with `--partition VALUE`")
            }
            Self::NotPartitioned { span, value } => Diagnostic::new(
                Code::LM302,
                *span,
                format!("partition `{value}` was given and the script is not partitioned"),
            )
            .hint("add `-- partitioned daily` (or hourly, weekly, monthly, dynamic), or run without a partition"),
            Self::Slice(error, span) => Diagnostic::new(Code::LM303, *span, error.to_string()),
            Self::Token(error) => {
                let span = match error {
                    SubstituteError::NoSlice { span, .. }
                    | SubstituteError::NoBounds { span, .. }
                    | SubstituteError::ClosesDollarString { span, .. }
                    | SubstituteError::Nul { span } => *span,
                };
                Diagnostic::new(Code::LM304, span, error.to_string())
            }
            Self::TargetIsView { target, span } => {
                Diagnostic::new(Code::LM305, *span, format!("`{target}` is a view in the lake"))
                    .hint("name another table, or drop the view")
            }
            Self::PartitionLayout { target, problem, span } => {
                Diagnostic::new(Code::LM306, *span, format!("`{target}` {problem}"))
                    .hint("materialise under another name, or drop the table to build it anew")
            }
            Self::KeyColumn { column, known, span } => Diagnostic::new(
                Code::LM307,
                *span,
                format!("the key column `{column}` is not in the SELECT"),
            )
            .hint(format!("the SELECT has {}", quoted(known))),
            Self::KeyNotInTable { column, target, span } => Diagnostic::new(
                Code::LM307,
                *span,
                format!("the key column `{column}` is not in the table `{target}`"),
            )
            .hint("keep the key of the first run, or materialise under another name"),
            Self::ReservedColumn { column, span } => Diagnostic::new(
                Code::LM308,
                *span,
                format!("the SELECT has a column `{column}`, a name that lakemill adds itself"),
            )
            .hint("give it another name with `AS`"),
            Self::DuplicateColumn { column, span } => {
                Diagnostic::new(Code::LM309, *span, format!("the SELECT has the column `{column}` twice"))
                    .hint("name one of them with `AS`, or leave it out with `EXCLUDE`")
            }
            Self::Unstorable { column, data_type, what, cast, span } => Diagnostic::new(
                Code::LM310,
                *span,
                format!("column `{column}` has type {data_type}: a DuckLake cannot store {what}"),
            )
            .hint(format!("cast it to {cast}")),
            Self::SchemaChange { target, drift, span } => Diagnostic::new(
                Code::LM311,
                *span,
                format!("the SELECT's columns differ from those of `{target}`: {}", drift.describe()),
            )
            .hint("`on_schema_change=warn` drops new columns and fills missing ones with NULL"),
            Self::NothingInCommon { target, span } => Diagnostic::new(
                Code::LM311,
                *span,
                format!("no column of the SELECT is in `{target}`"),
            )
            .hint("materialise under another name"),
            Self::TestColumn { test, column, known, span } => Diagnostic::new(
                Code::LM312,
                *span,
                format!("data test `{test}`: the table has no column `{column}`"),
            )
            .hint(format!("it has {}", quoted(known))),
            Self::TestKind { test, reason, span } => {
                Diagnostic::new(Code::LM313, *span, format!("data test `{test}` {reason}"))
            }
            Self::SingleAttachment { lake, wanted, span } => Diagnostic::new(
                Code::LM314,
                *span,
                format!("the catalog of lake `{lake}` is a DuckDB file, which can be attached only once, so {wanted} is refused"),
            )
            .hint("use a `sqlite:` or `postgres:` catalog"),
            Self::NotThereYet { what, instead, span } => {
                Diagnostic::new(Code::LM315, *span, format!("{what} is not there yet")).hint(*instead)
            }
        }
    }
}

impl std::fmt::Display for PlanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let diagnostic = self.diagnostic();
        f.write_str(&diagnostic.message)?;
        if let Some(hint) = &diagnostic.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PlanError {}

impl From<SubstituteError> for PlanError {
    fn from(error: SubstituteError) -> Self {
        Self::Token(error)
    }
}
