//! Data tests, compiled to checks (spec: data tests, "A check is `(name, probe)`").

use super::Target;
use super::error::PlanError;
use super::sql::{Column, Ident, Literal, TableRef};
use crate::asset::AssetKind;
use crate::script::{DataTest, Header};
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

/// Compiles the script's data tests against the columns that the target will have.
///
/// # Errors
/// A test on a column that is not there, or of a kind that cannot be run.
pub(super) fn compile(
    header: &Header,
    target: &Target,
    columns: &[Column],
) -> Result<Vec<Check>, PlanError> {
    header
        .data_tests
        .iter()
        .map(|test| check(&test.value, test.span, target, columns))
        .collect()
}

fn check(
    test: &DataTest,
    span: Span,
    target: &Target,
    columns: &[Column],
) -> Result<Check, PlanError> {
    let known = |column: &str| {
        columns
            .iter()
            .find(|known| known.name.eq_ignore_ascii_case(column))
            .map(|known| Ident::new(&known.name))
            .ok_or_else(|| PlanError::test_column(&name(test), column, columns, span))
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
            let unsupported = |why| PlanError::test_kind(&name(test), why, span);
            if to.asset.kind != AssetKind::Ducklake {
                return Err(unsupported("refers to an asset that is no ducklake table"));
            }
            let table = to
                .asset
                .lake_table()
                .ok_or_else(|| unsupported("refers to a lake without a table"))?;
            if table.lake != target.lake {
                return Err(unsupported(
                    "refers to another lake than the target's, which is not there yet",
                ));
            }
            Probe::Relationships {
                column: known(&column.value)?,
                to: TableRef {
                    catalog: target.table_ref.catalog.clone(),
                    schema: Ident::new(table.schema),
                    table: Ident::new(table.table),
                },
                to_column: Ident::new(&to.column),
            }
        }
        DataTest::Custom { .. } => {
            let why = "is a custom test script, which is not there yet";
            return Err(PlanError::test_kind(&name(test), why, span));
        }
    };
    Ok(Check {
        name: name(test),
        span,
        probe,
    })
}

/// A test's name in reports: kind and column.
fn name(test: &DataTest) -> String {
    match test {
        DataTest::Unique { column } => format!("unique {}", column.value),
        DataTest::NotNull { column } => format!("not_null {}", column.value),
        DataTest::AcceptedValues { column, .. } => format!("accepted_values {}", column.value),
        DataTest::Relationships { column, to } => {
            format!(
                "relationships {} -> {}.{}",
                column.value, to.asset, to.column
            )
        }
        DataTest::Custom { path } => path.value.clone(),
    }
}
