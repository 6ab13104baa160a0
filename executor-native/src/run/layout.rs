//! Whether the slices that a table has are those that its script cuts.

use parser_core::Script;
use parser_core::partition::Grid;
use parser_core::plan::sql::Ident;
use parser_core::plan::{
    ForeignSlices, ManagedWrite, Observed, PARTITION_COLUMN, Plan, SliceOf, Statement, TargetShape,
};
use parser_core::script::Partitioned;

use super::Work;
use crate::engine::question::{self, At};
use crate::engine::{Engine, EngineError, Row};

/// Looks at the slices of the target, of which `observed` knows the shape.
///
/// # Errors
/// What the engine says.
pub(super) fn look(
    engine: &Engine,
    write: &ManagedWrite,
    script: &Script,
    work: &Work,
    observed: &mut Observed,
) -> Result<(), EngineError> {
    observed.foreign = None;
    observed.is_placed = false;
    let Some(partition) = script.header.partition.as_ref().map(|line| &line.value) else {
        return Ok(());
    };
    let TargetShape::Table {
        columns, cut_by, ..
    } = &observed.target
    else {
        return Ok(());
    };
    if !columns.iter().any(|column| column.name == PARTITION_COLUMN) {
        return Ok(());
    }
    let values = values(engine, write)?;
    let mut slices = values.iter().map(Option::as_ref);
    observed.foreign = ForeignSlices::among(&mut slices, cut_by.as_ref(), partition);
    if let Work::Rebuild { by: Some(by) } = work {
        let slice = match partition {
            Partitioned::Time(time) => SliceOf::Time {
                column: Ident::new(by),
                format: Grid::new(time).format().to_owned(),
            },
            Partitioned::Dynamic { .. } => SliceOf::Value(Ident::new(by)),
        };
        let misplaced = question::misplaced_rows(&write.target.table_ref, &slice);
        // A column that is not there, or tells no slices, is the plan's to refuse.
        observed.is_placed = match engine.query(&misplaced) {
            Ok(table) => table.one()?.integer(0)? == 0,
            Err(EngineError::Statement(_)) => false,
            Err(error) => return Err(error),
        };
    }
    Ok(())
}

/// The slices that a table has. The catalog knows them by file, which costs little however large the table is; but for rows
/// that another tool wrote without slices, or into the catalog itself: for these the table is read.
fn values(engine: &Engine, write: &ManagedWrite) -> Result<Vec<Option<String>>, EngineError> {
    let table = &write.target.table_ref;
    let id = engine.query(&question::lake_table_id(table))?;
    let Some(id) = id.rows.first().map(|row| row.integer(0)).transpose()? else {
        return Ok(Vec::new());
    };
    let mut rows = engine
        .query(&question::recorded_slices(&table.catalog, id))?
        .rows;
    if !rows.iter().all(|row| row.truth(1)) {
        rows = engine.query(&question::slices(table, &At::Now))?.rows;
    }
    Ok(rows.iter().map(|row| row.optional_text(0)).collect())
}

/// The slices that a rebuild left, with the rows of each; one of the name `` where the script cuts none.
///
/// # Errors
/// What the engine says.
pub(super) fn rebuilt(
    engine: &Engine,
    write: &ManagedWrite,
    script: &Script,
    rows: i64,
    snapshot: i64,
) -> Result<Vec<(String, i64)>, EngineError> {
    if script.header.partition.is_none() {
        return Ok(vec![(String::new(), rows)]);
    }
    let question = question::slices(&write.target.table_ref, &At::Version(snapshot));
    let table = engine.query(&question)?;
    let slice = |row: &Row| Ok((row.text(0)?, row.integer(1)?));
    table.rows.iter().map(slice).collect()
}

/// A remark on the rows that a rebuild puts into slices before the script's `start=`.
///
/// # Errors
/// What the engine says.
pub(super) fn before_start(
    engine: &Engine,
    write: &ManagedWrite,
    script: &Script,
    plan: &Plan,
) -> Result<Option<String>, EngineError> {
    let slice = plan.publish.iter().find_map(|statement| {
        let Statement::KeepRows { slice, .. } = statement else {
            return None;
        };
        slice.as_ref()
    });
    let (Some(slice @ SliceOf::Time { column, .. }), Some(Partitioned::Time(time))) = (
        slice,
        script.header.partition.as_ref().map(|line| &line.value),
    ) else {
        return Ok(None);
    };
    let grid = Grid::new(time);
    let Some(first) = grid.start().and_then(|start| grid.slice_at(start).ok()) else {
        return Ok(None);
    };
    let Some(bounds) = first.bounds else {
        return Ok(None);
    };
    let question = question::rows_before(&write.target.table_ref, slice, column, bounds.start);
    let row = engine.query(&question)?;
    let row = row.one()?;
    let rows = row.integer(0)?;
    if rows == 0 {
        return Ok(None);
    }
    Ok(Some(format!(
        "{rows} row(s) lie before the script's start `{}`, in the slices `{}` to `{}`: they are kept, and no run writes these \
         slices again",
        first.value,
        row.text(1)?,
        row.text(2)?
    )))
}
