//! What a run asks before it can plan: what its target looks like.

use parser_core::Script;
use parser_core::partition::Slice;
use parser_core::plan::sql::{Column, TableRef};
use parser_core::plan::{CUT_BY, ManagedWrite, Observed, PARTITION_COLUMN, Statement, TargetShape};
use parser_core::render::render;

use super::RunError;
use crate::config::Project;
use crate::engine::{Command, Engine, EngineError, Row, Table, confinement, question};

/// Refuses a script that has what a confined session would not confine.
///
/// # Errors
/// [`RunError::Confined`]
pub(super) fn refuse_loophole(
    project: &Project,
    text: &str,
    script: &Script,
) -> Result<(), RunError> {
    if project.config.engine.allow_local_files {
        return Ok(());
    }
    match confinement::loophole(text, script) {
        Some((span, what)) => Err(RunError::Confined { what, span }),
        None => Ok(()),
    }
}

/// Looks at the target, with the plan's own questions.
///
/// # Errors
/// What the engine says.
pub fn observe(
    engine: &Engine,
    write: &ManagedWrite,
    slice: Option<&Slice>,
    observed: &mut Observed,
) -> Result<(), EngineError> {
    for statement in &write.inspect {
        if let Statement::DescribeTarget {
            table,
            current_view,
        } = statement
        {
            let rows = engine.query(&Command::from(render(statement)))?.rows;
            observed.target = shape(&rows, table)?;
            if let Some(view) = current_view {
                observed.current_view = shape(&rows, view)?;
            }
        }
    }
    observed.slice_absent = slice_absent(engine, write, &observed.target, slice)?;
    Ok(())
}

/// Whether the slice is known to hold no row, so that nothing needs to be deleted.
///
/// # Errors
/// What the engine says.
fn slice_absent(
    engine: &Engine,
    write: &ManagedWrite,
    target: &TargetShape,
    slice: Option<&Slice>,
) -> Result<bool, EngineError> {
    match (target, slice) {
        (TargetShape::Absent, _) => Ok(true),
        (TargetShape::Table { columns, .. }, Some(slice)) => {
            let partitioned = columns.iter().any(|column| column.name == PARTITION_COLUMN);
            Ok(partitioned
                && engine
                    .query(&question::slice_has_rows(
                        &write.target.table_ref,
                        &slice.value,
                    ))?
                    .rows
                    .is_empty())
        }
        (TargetShape::Table { .. } | TargetShape::View, _) => Ok(false),
    }
}

/// What `table` is, by rows `(kind, column, type, whether it is a partition key, table, comment)`.
fn shape(rows: &[Row], table: &TableRef) -> Result<TargetShape, EngineError> {
    let mut columns = Vec::with_capacity(rows.len());
    let mut partitioned_by = Vec::new();
    let mut cut_by = None;
    for row in rows {
        if !row.text(4)?.eq_ignore_ascii_case(&table.table.0) {
            continue;
        }
        if row.text(0)? == "view" {
            return Ok(TargetShape::View);
        }
        let name = row.text(1)?;
        if row.truth(3) {
            partitioned_by.push(name.clone());
        }
        if name == PARTITION_COLUMN {
            let comment = row.optional_text(5).unwrap_or_default();
            cut_by = comment.strip_prefix(CUT_BY).map(str::to_owned);
        }
        columns.push(Column {
            name,
            data_type: row.text(2)?,
        });
    }
    if columns.is_empty() {
        return Ok(TargetShape::Absent);
    }
    Ok(TargetShape::Table {
        columns,
        partitioned_by,
        cut_by,
    })
}

/// Rows of a DESCRIBE: `(name, type, …)`.
pub(super) fn describe_rows(table: &Table) -> Result<Vec<Column>, EngineError> {
    table
        .rows
        .iter()
        .map(|row| {
            Ok(Column {
                name: row.text(0)?,
                data_type: row.text(1)?,
            })
        })
        .collect()
}
