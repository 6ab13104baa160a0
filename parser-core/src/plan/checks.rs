//! Data tests, compiled to checks (spec: data tests, "A check is `(name, probe)`").

use super::error::PlanError;
use super::references::References;
use super::sql::{Column, Ident, Literal, TableRef};
use super::{RunContext, Target};
use crate::script::{DataTest, Script};
use crate::source::Span;

/// One data test, compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// `unique id`
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its probe: one row `(violating BIGINT, sample VARCHAR)`.
    pub probe: Probe,
}

/// What a check counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Values that stand in more than one row.
    Unique(Ident),
    /// NULLs.
    NotNull(Ident),
    /// Non-NULL values outside a list.
    AcceptedValues(Ident, Vec<Literal>),
    /// Rows that a script of the project returns; its path as the data test gives it. Only who has the project's files can
    /// run it.
    Script(String),
    /// Non-NULL values without a match.
    Relationships {
        /// The tested column.
        column: Ident,
        /// Where the values must stand.
        to: TableRef,
        /// In which column.
        to_column: Ident,
    },
}

impl Probe {
    /// Whether a script of the project finds the rows.
    #[must_use]
    pub const fn is_script(&self) -> bool {
        matches!(self, Self::Script(_))
    }
}

/// Compiles the script's data tests against the columns that the target has or will have.
///
/// # Errors
/// A test on a column that is not there, or of a kind that cannot be run.
pub fn compile(
    script: &Script,
    target: &Target,
    columns: &[Column],
    context: &RunContext,
) -> Result<Vec<Check>, PlanError> {
    let tests = &script.header.data_tests;
    let references = References::of(script, &target.lake, context)?;
    tests
        .iter()
        .map(|test| check(&test.value, test.span, target, &references, columns))
        .collect()
}

fn check(
    test: &DataTest,
    span: Span,
    target: &Target,
    references: &References,
    columns: &[Column],
) -> Result<Check, PlanError> {
    let known = |column: &str| {
        columns
            .iter()
            .find(|known| known.name.eq_ignore_ascii_case(column))
            .map(|known| Ident::new(&known.name))
            .ok_or_else(|| PlanError::test_column(&test.name(), column, columns, span))
    };
    let probe = match test {
        DataTest::Unique { column } => Probe::Unique(known(&column.value)?),
        DataTest::NotNull { column } => Probe::NotNull(known(&column.value)?),
        DataTest::AcceptedValues { column, values } => Probe::AcceptedValues(
            known(&column.value)?,
            values
                .iter()
                .map(|value| Literal::Text(value.value.clone()))
                .collect(),
        ),
        DataTest::Relationships { column, to } => {
            let why = "refers to what is no table of a `ducklake://` or a `datatable://`";
            Probe::Relationships {
                column: known(&column.value)?,
                to: references
                    .table(to, &target.table_ref.catalog)
                    .ok_or_else(|| PlanError::test_kind(&test.name(), why, span))?,
                to_column: Ident::new(&to.column),
            }
        }
        DataTest::Custom { path } => Probe::Script(path.value.clone()),
    };
    Ok(Check {
        name: test.name(),
        span,
        probe,
    })
}
