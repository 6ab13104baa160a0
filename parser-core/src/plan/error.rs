//! Why a plan cannot be made.

use super::context::ForeignSlices;
use super::drift::{Drift, quoted};
use super::sql::Column;
use super::storable::Unstorable;
use crate::body::partition_tokens::SubstituteError;
use crate::diagnostic::{Code, Diagnostic};
use crate::partition::PartitionError;
use crate::source::Span;

/// Why a plan cannot be made: a finding of code LM300 onwards, or of the managed-mode check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError(Diagnostic);

/// One constructor per reason.
impl PlanError {
    fn new(code: Code, span: Span, message: String) -> Self {
        Self(Diagnostic::new(code, span, message))
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self(self.0.hint(hint))
    }

    /// The body is not setup statements and one output: what `check` says.
    pub(super) const fn invalid(found: Diagnostic) -> Self {
        Self(found)
    }

    /// The script names a lake that is not declared; `known` ones are.
    pub(super) fn unknown_lake<'a>(
        lake: &str,
        known: impl Iterator<Item = &'a String>,
        span: Span,
    ) -> Self {
        Self::new(
            Code::LM300,
            span,
            format!("the lake `{lake}` is not declared"),
        )
        .hint(format!(
            "declare it in lakemill.toml as `[lakes.{lake}]`, or use one of {}",
            quoted(known)
        ))
    }

    /// The script attaches a database that is not declared; `known` ones are.
    pub(super) fn unknown_datatable(name: &str, known: &[String], span: Span) -> Self {
        let mut hint = [
            "declare it in lakemill.toml as `[datatables.",
            name,
            "]` with a `url`",
        ]
        .concat();
        if !known.is_empty() {
            hint.push_str(", or use one of ");
            hint.push_str(&quoted(known.iter()));
        }
        let message = ["the database `", name, "` is not declared"].concat();
        Self::new(Code::LM317, span, message).hint(hint)
    }

    /// A key of the default storage that has no place there.
    pub(super) fn storage_key(key: &str, why: &str, span: Span) -> Self {
        let message = ["the key `", key, "` ", why].concat();
        Self::new(Code::LM318, span, message)
    }

    /// `partitioned`, and no slice was given.
    pub(super) fn no_slice(span: Span) -> Self {
        let message = "the script is partitioned and no partition was given";
        Self::new(Code::LM301, span, message.to_owned()).hint("give one with `--partition VALUE`")
    }

    /// A slice was given, and the script is not partitioned.
    pub(super) fn not_partitioned(value: &str, span: Span) -> Self {
        Self::new(
            Code::LM302,
            span,
            format!("partition `{value}` was given and the script is not partitioned"),
        )
        .hint("add `-- partitioned daily` (or hourly, weekly, monthly, dynamic), or run without a partition")
    }

    /// The slice is not one of the script's.
    pub(super) fn slice(error: &PartitionError, span: Span) -> Self {
        Self::new(Code::LM303, span, error.to_string())
    }

    /// The target's name belongs to a view.
    pub(super) fn target_is_view(target: &str, span: Span) -> Self {
        Self::new(
            Code::LM305,
            span,
            format!("`{target}` is a view in the lake"),
        )
        .hint("name another table, or drop the view")
    }

    /// The table lacks `_wm_partition`, or the script lacks `partitioned`.
    pub(super) fn partition_layout(target: &str, problem: &str, span: Span) -> Self {
        Self::new(Code::LM306, span, format!("`{target}` {problem}")).hint(Self::rebuild(target))
    }

    /// The table has slices that the script does not cut.
    pub(super) fn foreign_slices(
        target: &str,
        foreign: &ForeignSlices,
        now: &str,
        span: Span,
    ) -> Self {
        let count = foreign.count.to_string();
        let mut message = [
            "`",
            target,
            "` has ",
            &count,
            " slice(s) that the script does not cut, for example `",
            &foreign.example,
        ]
        .concat();
        if let Some(cut_by) = &foreign.cut_by {
            message.push_str(&["`: they are cut by `", cut_by, "`, not by `", now].concat());
        }
        message.push('`');
        Self::new(Code::LM319, span, message).hint(Self::rebuild(target))
    }

    /// What gives a table the script's layout.
    fn rebuild(target: &str) -> String {
        [
            "`lakemill rebuild ",
            target,
            "` gives it the script's layout; or materialise under another name",
        ]
        .concat()
    }

    /// The table lacks the columns of versions, or the script lacks `history`.
    pub(super) fn history_layout(target: &str, problem: &str, span: Span) -> Self {
        Self::new(Code::LM306, span, format!("`{target}` {problem}"))
            .hint("materialise under another name, or drop the table to build it anew")
    }

    /// There is no table to rebuild.
    pub(super) fn no_table(target: &str, span: Span) -> Self {
        let message = ["there is no table `", target, "`: a run makes it"];
        Self::new(Code::LM306, span, message.concat())
    }

    /// A table is to have slices, and nothing tells which rows belong to which.
    pub(super) fn no_slices(target: &str, why: &str, span: Span) -> Self {
        let message = [
            "nothing tells the slices of the rows of `",
            target,
            "`: ",
            why,
        ];
        Self::new(Code::LM306, span, message.concat())
            .hint("name the column that does with `--by COLUMN`")
    }

    /// A key column is not in the SELECT.
    pub(super) fn key_column(column: &str, known: &[Column], span: Span) -> Self {
        Self::new(
            Code::LM307,
            span,
            format!("the key column `{column}` is not in the SELECT"),
        )
        .hint(format!("the SELECT has {}", quoted(names(known))))
    }

    /// A key column is not in the table.
    pub(super) fn key_not_in_table(column: &str, target: &str, span: Span) -> Self {
        Self::new(
            Code::LM307,
            span,
            format!("the key column `{column}` is not in the table `{target}`"),
        )
        .hint("keep the key of the first run, or materialise under another name")
    }

    /// A column of `track=` is not in the SELECT.
    pub(super) fn tracked_column(column: &str, known: &[Column], span: Span) -> Self {
        Self::new(
            Code::LM307,
            span,
            format!("the tracked column `{column}` is not in the SELECT"),
        )
        .hint(format!("the SELECT has {}", quoted(names(known))))
    }

    /// The SELECT has a column that lakemill adds itself.
    pub(super) fn reserved_column(column: &str, span: Span) -> Self {
        Self::new(
            Code::LM308,
            span,
            format!("the SELECT has a column `{column}`, a name that lakemill adds itself"),
        )
        .hint("give it another name with `AS`")
    }

    /// The SELECT has a column name twice; the engine would rename one silently.
    pub(super) fn duplicate_column(column: &str, span: Span) -> Self {
        Self::new(
            Code::LM309,
            span,
            format!("the SELECT has the column `{column}` twice"),
        )
        .hint("name one of them with `AS`, or leave it out with `EXCLUDE`")
    }

    /// A column's type cannot be stored.
    pub(super) fn unstorable(column: &Column, problem: Unstorable, span: Span) -> Self {
        Self::storage("column", column, "cannot store", problem, "", span)
    }

    /// No row of the table would be found by such a key again.
    pub(super) fn inexact_key(column: &Column, problem: Unstorable, span: Span) -> Self {
        let consequence = " inexactly, so that no row would be found by it again";
        Self::storage(
            "the key column",
            column,
            "stores",
            problem,
            consequence,
            span,
        )
    }

    /// What a DuckLake does with a column's type, and the cast that mends it.
    fn storage(
        role: &str,
        column: &Column,
        does: &str,
        problem: Unstorable,
        consequence: &str,
        span: Span,
    ) -> Self {
        Self::new(
            Code::LM310,
            span,
            format!(
                "{role} `{}` has type {}: a DuckLake {does} {}{consequence}",
                column.name, column.data_type, problem.what
            ),
        )
        .hint(format!("cast it to {}", problem.cast))
    }

    /// The columns differ and the policy forbids it.
    pub(super) fn schema_change(target: &str, drift: &Drift, span: Span) -> Self {
        Self::new(
            Code::LM311,
            span,
            format!(
                "the SELECT's columns differ from those of `{target}`: {}",
                drift.describe()
            ),
        )
        .hint("`on_schema_change=warn` drops new columns and fills missing ones with NULL")
    }

    /// Columns of the table have types that cannot follow the SELECT's.
    pub(super) fn narrowing(target: &str, drift: &Drift, span: Span) -> Self {
        let message = [
            "the SELECT's columns differ from those of `",
            target,
            "`, and not every value of the old types is one of the new: ",
            &drift.describe(),
        ];
        Self::new(Code::LM311, span, message.concat())
            .hint("cast them in the SELECT to the table's types, or materialise under another name")
    }

    /// The columns differ from those of a table with history.
    pub(super) fn frozen(target: &str, drift: &Drift, span: Span) -> Self {
        Self::new(
            Code::LM311,
            span,
            format!(
                "the SELECT's columns differ from those of `{target}`, and a table with history keeps its columns: {}",
                drift.describe()
            ),
        )
        .hint("select the columns of the first run (`NULL AS column`, a cast, `EXCLUDE`), or materialise under another name")
    }

    /// No column of the SELECT is in the table.
    pub(super) fn nothing_in_common(target: &str, span: Span) -> Self {
        Self::new(
            Code::LM311,
            span,
            format!("no column of the SELECT is in `{target}`"),
        )
        .hint("materialise under another name")
    }

    /// A data test names a column that the table does not have.
    pub(super) fn test_column(test: &str, column: &str, known: &[Column], span: Span) -> Self {
        Self::new(
            Code::LM312,
            span,
            format!("data test `{test}`: the table has no column `{column}`"),
        )
        .hint(format!("it has {}", quoted(names(known))))
    }

    /// A data test that cannot be run; why is a verb phrase.
    pub(super) fn test_kind(test: &str, why: &str, span: Span) -> Self {
        Self::new(Code::LM313, span, format!("data test `{test}` {why}"))
    }

    /// A lake whose catalog is a DuckDB file can be attached once per engine.
    pub(super) fn single_attachment(lake: &str, wanted: &str, span: Span) -> Self {
        Self::new(
            Code::LM314,
            span,
            format!("the catalog of lake `{lake}` is a DuckDB file, which can be attached only once, so {wanted} is refused"),
        )
        .hint("use a `sqlite:` or `postgres:` catalog")
    }

    /// The target is no table of a lake.
    pub(super) fn target_not_a_table(target: &str, span: Span) -> Self {
        Self::new(
            Code::LM316,
            span,
            format!("`{target}` is no table of a lake"),
        )
        .hint("write `ducklake://lake/table`")
    }

    /// The error as a finding about the script.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        self.0.clone()
    }
}

fn names(columns: &[Column]) -> impl Iterator<Item = &String> {
    columns.iter().map(|column| &column.name)
}

impl std::fmt::Display for PlanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.message)?;
        if let Some(hint) = &self.0.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PlanError {}

/// A `{partition}` token cannot be replaced.
impl From<SubstituteError> for PlanError {
    fn from(error: SubstituteError) -> Self {
        let span = match error {
            SubstituteError::NoSlice { span, .. }
            | SubstituteError::NoBounds { span, .. }
            | SubstituteError::ClosesDollarString { span, .. }
            | SubstituteError::Nul { span } => span,
        };
        Self::new(Code::LM304, span, error.to_string())
    }
}
