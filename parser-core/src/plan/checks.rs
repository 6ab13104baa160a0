//! Data tests, compiled to checks (spec: data tests, "A check is `(name, probe)`").

use super::drift::find;
use super::error::PlanError;
use super::exact;
use super::references::References;
use super::sql::{Column, Ident, Literal, Piece, TableRef, UserSql};
use super::{RunContext, Target};
use crate::script::{Comparison, Rule, Script, Severity};
use crate::source::Span;

/// One data test, compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// `unique id`
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// What a violation does.
    pub severity: Severity,
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
    /// Non-NULL values outside a list, which has none that the column could not hold as it is written.
    AcceptedValues(Ident, Vec<Literal>),
    /// How far the number of rows is from one that it is compared with, at least 1; 0 when the comparison holds.
    RowCount(Comparison, i64),
    /// 1 when no value is as young as this, in seconds; times count in UTC, from the start of the transaction.
    Freshness(Ident, i64),
    /// Rows that make an expression of the script false.
    Expression(UserSql),
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

/// Compiles the script's data tests against the columns that the target has or will have; where there is none they are not
/// known, and a test is taken by its word.
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
    let mut checks = Vec::with_capacity(tests.len());
    for test in tests {
        let (rule, span) = (&test.value.rule, test.span);
        checks.push(Check {
            name: rule.name(),
            span,
            severity: test.value.severity,
            probe: probe(rule, span, target, &references, columns)?,
        });
    }
    Ok(checks)
}

fn probe(
    test: &Rule,
    span: Span,
    target: &Target,
    references: &References,
    columns: &[Column],
) -> Result<Probe, PlanError> {
    let known = |column: &str| {
        if columns.is_empty() {
            return Ok(Ident::new(column));
        }
        find(columns, column)
            .map(|known| Ident::new(&known.name))
            .ok_or_else(|| PlanError::test_column(&test.name(), column, columns, span))
    };
    Ok(match test {
        Rule::Unique { column } => Probe::Unique(known(&column.value)?),
        Rule::NotNull { column } => Probe::NotNull(known(&column.value)?),
        Rule::AcceptedValues { column, values } => {
            let known_type = find(columns, &column.value).map_or("", |known| &known.data_type);
            let mut held = Vec::new();
            for value in values {
                if exact::holds(&value.value, known_type) {
                    held.push(Literal::Text(value.value.clone()));
                }
            }
            Probe::AcceptedValues(known(&column.value)?, held)
        }
        Rule::Relationships { column, to } => {
            let why = "refers to what is no table of a `ducklake://` or a `datatable://`";
            Probe::Relationships {
                column: known(&column.value)?,
                to: references
                    .table(to, &target.table_ref.catalog)
                    .ok_or_else(|| PlanError::test_kind(&test.name(), why, span))?,
                to_column: Ident::new(&to.column),
            }
        }
        Rule::RowCount { comparison, rows } => Probe::RowCount(*comparison, rows.cast_signed()),
        Rule::Freshness { column, age } => {
            let seconds = age.seconds.min(i64::MAX.cast_unsigned());
            Probe::Freshness(known(&column.value)?, seconds.cast_signed())
        }
        Rule::Expression { sql } => Probe::Expression(UserSql {
            span: sql.span,
            pieces: vec![Piece::Source {
                span: sql.span,
                text: sql.value.clone(),
            }],
        }),
        Rule::Custom { path } => Probe::Script(path.value.clone()),
    })
}
