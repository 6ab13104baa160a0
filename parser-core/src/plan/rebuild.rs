//! `lakemill rebuild`: the rows of a table in the layout that its script says, with slices or without.

use super::context::{Observed, RunContext, Strategy, TargetShape, cut_by};
use super::drift::find;
use super::error::PlanError;
use super::prepare::{attach_target, target};
use super::slicing::sliced_column;
use super::sql::{Column, Ident, UserSql};
use super::statement::{ColumnChange, CommitInfo, Scope, SliceOf, Statement};
use super::{KEPT_TABLE, ManagedWrite, PARTITION_COLUMN, Plan, Preparation, temporary};
use crate::partition::Grid;
use crate::script::{Mode, Partitioned, Script};

/// Plans what can be run before the lake has been looked at. Nothing of the script itself is run.
///
/// # Errors
/// A [`PlanError`] when the script materialises no table of a declared lake.
pub fn prepare_rebuild(script: &Script, context: &RunContext) -> Result<Preparation, PlanError> {
    let line = script.header.materialize.as_ref();
    let Some(line) = line.filter(|line| line.value.mode == Mode::Managed) else {
        return Err(PlanError::target_not_a_table("", script.header.span));
    };
    let target = target(line)?;
    let write = ManagedWrite {
        strategy: Strategy::Rebuild,
        query: UserSql {
            span: line.span,
            pieces: Vec::new(),
        },
        scope: Scope::Table,
        inspect: vec![Statement::DescribeTarget {
            table: target.table_ref.clone(),
            current_view: None,
        }],
        current_view: None,
        needs_staging: false,
        target,
    };
    Ok(Preparation {
        open: attach_target(&write, script, context)?
            .into_iter()
            .collect(),
        setup: Vec::new(),
        folders: Vec::new(),
        write: Some(write),
    })
}

/// Finishes the plan with what the lake answered. It publishes nothing when the table has the script's layout.
///
/// `by` names the column whose values tell the slices of rows; else the script's own `wm_partition(column)` does.
///
/// # Errors
/// A [`PlanError`] when there is no table, or nothing tells the slice of a row.
pub fn rebuild(
    preparation: Preparation,
    text: &str,
    script: &Script,
    context: &RunContext,
    observed: &Observed,
    by: Option<&str>,
) -> Result<Plan, PlanError> {
    let mut plan = Plan::of(preparation);
    let Some(write) = &plan.preparation.write else {
        return Ok(plan);
    };
    let (asset, span) = (&write.target.asset_path, write.query.span);
    let (columns, partitioned_by) = match &observed.target {
        TargetShape::Absent => return Err(PlanError::no_table(asset, span)),
        TargetShape::View => return Err(PlanError::target_is_view(asset, span)),
        TargetShape::Table {
            columns,
            partitioned_by,
            cut_by: _,
        } => (columns, partitioned_by),
    };
    let table = write.target.table_ref.clone();
    let partition = script.header.partition.as_ref();
    let is_sliced = matches!(partitioned_by.as_slice(), [only] if only == PARTITION_COLUMN);
    let alter = |change| Statement::AlterColumn {
        table: table.clone(),
        change,
    };
    let body = match (partition, find(columns, PARTITION_COLUMN)) {
        (None, None) => return Ok(plan),
        (Some(_), Some(_))
            if is_sliced && observed.foreign.is_none() && (by.is_none() || observed.is_placed) =>
        {
            return Ok(plan);
        }
        // The engine cannot write into a table in the transaction that takes its partitions away. It need not: where rows
        // lie is no matter then.
        (None, Some(_)) => vec![
            Statement::ResetPartitionedBy(table.clone()),
            alter(ColumnChange::Drop(Ident::new(PARTITION_COLUMN))),
        ],
        (Some(partition), known) => {
            // Slices that are the script's stay as they are: only where their rows lie is wrong.
            let keeps_slices = known.is_some() && observed.foreign.is_none() && by.is_none();
            let slice = match keeps_slices {
                true => None,
                false => Some(
                    slice_of(&partition.value, text, script, columns, by)
                        .map_err(|why| PlanError::no_slices(asset, &why, span))?,
                ),
            };
            let rows = temporary(KEPT_TABLE);
            plan.finish.push(Statement::DropStaged(rows.clone()));
            let old = known.filter(|_| slice.is_some());
            let kept = Statement::KeepRows {
                into: rows.clone(),
                table: table.clone(),
                without: old
                    .map(|column| Ident::new(&column.name))
                    .into_iter()
                    .collect(),
                retyped: Vec::new(),
                slice,
            };
            let mut body = vec![kept];
            body.extend(known.is_none().then(|| {
                alter(ColumnChange::Add(Column {
                    name: PARTITION_COLUMN.to_owned(),
                    data_type: "VARCHAR".to_owned(),
                }))
            }));
            body.extend((!is_sliced).then(|| Statement::SetPartitionedBy(table.clone())));
            body.extend([
                Statement::NoteCut {
                    table: table.clone(),
                    cut_by: cut_by(&partition.value),
                },
                Statement::EmptyTable(table.clone()),
                Statement::PutBack {
                    table: table.clone(),
                    rows,
                },
            ]);
            body
        }
    };
    let message = Statement::CommitMessage {
        catalog: table.catalog,
        author: context.author.clone(),
        message: ["rebuild ", asset].concat(),
        extra: CommitInfo::of(context, asset, &write.strategy),
    };
    plan.publish.push(Statement::Begin);
    plan.publish.extend(body);
    plan.publish.extend([message, Statement::Commit]);
    Ok(plan)
}

/// What tells the slice of a row, or why nothing does.
fn slice_of(
    partition: &Partitioned,
    text: &str,
    script: &Script,
    columns: &[Column],
    by: Option<&str>,
) -> Result<SliceOf, String> {
    let known =
        |name: &str| find(columns, name).ok_or_else(|| ["it has no column `", name, "`"].concat());
    let time = match (partition, by) {
        (Partitioned::Time(time), _) => time,
        (Partitioned::Dynamic { .. }, Some(name)) => {
            return Ok(SliceOf::Value(Ident::new(&known(name)?.name)));
        }
        (Partitioned::Dynamic { .. }, None) => {
            return Err("the slices of `partitioned dynamic` come from the caller".to_owned());
        }
    };
    let column =
        match by {
            Some(name) => known(name)?,
            None => known(&sliced_column(text, script).ok_or_else(|| {
                "its SELECT does not show, unchanged, the one column that it gives to `wm_partition(column)`".to_owned()
            })?)?,
        };
    if !matches!(
        column.data_type.as_str(),
        "DATE" | "TIMESTAMP" | "TIMESTAMP_S" | "TIMESTAMP_MS" | "TIMESTAMP_NS"
    ) {
        let why = [
            "`",
            &column.name,
            "` is ",
            &column.data_type,
            ", no plain local time",
        ];
        return Err(why.concat());
    }
    Ok(SliceOf::Time {
        column: Ident::new(&column.name),
        format: Grid::new(time).format().to_owned(),
    })
}
