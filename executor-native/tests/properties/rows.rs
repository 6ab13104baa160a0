//! Merge, replace of a slice, append: rows in a list.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::values::{Cell, Column, SIDE_BY_SIDE, cell, columns, numbered, order, select};
use crate::world::{Row, World};
use crate::{check, same};

/// The key's first. Names as people write them.
const NAMES: [&str; 4] = ["id", "Order", "na me", "v"];
/// Slices whose names are easily mistaken for something else.
const SLICES: [&str; 3] = ["2024-06-19", "it's a/b=c%", "NULL"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Write {
    /// Rows of a key that comes are exchanged.
    Merge,
    /// All rows are exchanged.
    Replace,
    /// None is.
    Append,
}

#[derive(Clone, Debug)]
struct Sequence {
    write: Write,
    columns: Vec<Column>,
    key: usize,
    is_partitioned: bool,
    steps: Vec<Step>,
}

/// One run.
#[derive(Clone, Debug)]
struct Step {
    slice: usize,
    rows: Vec<Vec<Cell>>,
    order: Vec<usize>,
}

fn sequences(write: Write, width: usize) -> impl Strategy<Value = Sequence> {
    let is_partitioned = match write {
        Write::Replace => Just(true).boxed(),
        Write::Merge | Write::Append => any::<bool>().boxed(),
    };
    (columns(&NAMES, width), 1..=2_usize, is_partitioned).prop_flat_map(
        move |(columns, key, is_partitioned)| {
            let rows = proptest::collection::vec(cell(), NAMES.len());
            let rows = proptest::collection::vec(rows, 0..5);
            let step = (
                0..SLICES.len(),
                proptest::collection::vec(rows, width).prop_map(numbered),
                order(columns.len()),
            )
                .prop_map(|(slice, rows, order)| Step { slice, rows, order });
            proptest::collection::vec(step, 2..5).prop_map(move |steps| Sequence {
                write,
                // The number in front is part of the key.
                key: key + columns.len() - NAMES.len(),
                columns: columns.clone(),
                is_partitioned,
                steps,
            })
        },
    )
}

impl Sequence {
    /// Equal keys; NULL equals nothing.
    fn is_same_key(&self, a: &[Cell], b: &[Cell]) -> bool {
        (0..self.key).all(|at| a[at].is_some() && self.columns[at].is_same(a[at], b[at]))
    }

    fn texts(&self, cells: &[Cell]) -> Row {
        let cells = self.columns.iter().zip(cells);
        cells.map(|(column, &cell)| column.text(cell)).collect()
    }
}

fn one(world: &mut World, sequence: &Sequence) -> TestCaseResult {
    let mut names: Vec<&str> = sequence.columns.iter().map(|column| column.name).collect();
    let mut header = world.materialize();
    match sequence.write {
        Write::Merge => {
            header += &format!(" key=\"{}\"", names[..sequence.key].join(","));
        }
        Write::Replace => {}
        Write::Append => header += " append",
    }
    if sequence.is_partitioned {
        header += "\n-- partitioned dynamic key=tenant";
        names.push("_wm_partition");
    }
    // The table by the model: slice and cells.
    let mut table: Vec<(usize, Vec<Cell>)> = Vec::new();
    let mut exists = false;
    for step in &sequence.steps {
        let slice = if sequence.is_partitioned {
            step.slice
        } else {
            0
        };
        let value = sequence.is_partitioned.then(|| SLICES[slice]);
        let script = format!(
            "{header}\n{}\n",
            select(&sequence.columns, &step.rows, &step.order)
        );
        let run = world.run(&script, value)?;
        let has_double = (1..step.rows.len()).any(|at| {
            let (row, before) = (&step.rows[at], &step.rows[..at]);
            before.iter().any(|other| sequence.is_same_key(other, row))
        });
        if sequence.write == Write::Merge && has_double {
            let message = run.map_or_else(|message| message, |summary| format!("{summary:?}"));
            prop_assert!(message.contains("more than one row"), "{message}");
            continue;
        }
        let summary = run.map_err(TestCaseError::fail)?;
        let before = table.len();
        table.retain(|(of, row)| {
            *of != slice
                || match sequence.write {
                    Write::Merge => !step.rows.iter().any(|new| sequence.is_same_key(new, row)),
                    Write::Replace => false,
                    Write::Append => true,
                }
        });
        let deleted = before - table.len();
        table.extend(step.rows.iter().map(|row| (slice, row.clone())));

        let count = |count: usize| i64::try_from(count).unwrap();
        let changes = !exists || deleted + step.rows.len() > 0;
        exists = true;
        same("changed", &summary.changed, &changes)?;
        same("inserted", &summary.rows_inserted, &count(step.rows.len()))?;
        same("deleted", &summary.rows_deleted, &count(deleted))?;
        let in_slice = table.iter().filter(|(of, _)| *of == slice).count();
        same("rows of the slice", &summary.rows, &Some(count(in_slice)))?;
        let mut expected: Vec<Row> = table
            .iter()
            .map(|(slice, cells)| {
                let mut row = sequence.texts(cells);
                row.extend(
                    sequence
                        .is_partitioned
                        .then(|| Some(SLICES[*slice].to_owned())),
                );
                row
            })
            .collect();
        expected.sort();
        same("rows", &world.rows("", &names), &expected)?;
    }
    Ok(())
}

#[test]
fn a_merge_is_what_the_model_says() {
    check(50, &sequences(Write::Merge, 1), one);
    check(25, &sequences(Write::Merge, SIDE_BY_SIDE), one);
}

#[test]
fn a_replaced_slice_is_what_the_model_says() {
    check(50, &sequences(Write::Replace, 1), one);
    check(25, &sequences(Write::Replace, SIDE_BY_SIDE), one);
}

#[test]
fn an_append_is_what_the_model_says() {
    check(50, &sequences(Write::Append, 1), one);
    check(25, &sequences(Write::Append, SIDE_BY_SIDE), one);
}
