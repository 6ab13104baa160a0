//! History: versions by key, as a list and a loop would keep them.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::values::{Cell, Column, SIDE_BY_SIDE, cell, columns, numbered, order, select};
use crate::world::{Row, World};
use crate::{check, same};

/// The key's first. Names as people write them.
const NAMES: [&str; 5] = ["id", "order", "na me", "v2", "v3"];
const TIMES: [&str; 3] = ["valid_from", "valid_to", "is_current"];

#[derive(Clone, Debug)]
struct Sequence {
    columns: Vec<Column>,
    /// How many of the columns are the key.
    key: usize,
    /// Tracked columns; empty: all others.
    track: Vec<usize>,
    close: bool,
    sources: Vec<Source>,
}

/// One state of the source.
#[derive(Clone, Debug)]
struct Source {
    rows: Vec<Vec<Cell>>,
    order: Vec<usize>,
    /// A row comes twice.
    doubled: bool,
    /// It is run a second time. The last one always is.
    again: bool,
}

fn sequences(is_tracked: bool, width: usize) -> impl Strategy<Value = Sequence> {
    (columns(&NAMES, width), 1..=2_usize, any::<bool>()).prop_flat_map(
        move |(columns, key, close)| {
            // The number in front is part of the key.
            let (count, own) = (columns.len(), NAMES.len() - key);
            let all_keys = count - own;
            let rows = proptest::collection::btree_map(
                proptest::collection::vec(cell(), key),
                proptest::collection::vec(cell(), own),
                0..5,
            )
            .prop_map(|rows| {
                let rows = rows.into_iter();
                rows.map(|(key, values)| [key, values].concat()).collect()
            });
            let source = (
                proptest::collection::vec(rows, width).prop_map(numbered),
                order(count),
                prop::bool::weighted(0.08),
                prop::bool::weighted(0.3),
            )
                .prop_map(|(rows, order, doubled, again)| Source {
                    rows,
                    order,
                    doubled,
                    again,
                });
            let track = match is_tracked {
                false => Just(Vec::new()).boxed(),
                true => proptest::sample::subsequence((all_keys..count).collect::<Vec<_>>(), 1..3)
                    .boxed(),
            };
            (track, proptest::collection::vec(source, 2..5)).prop_map(move |(track, sources)| {
                Sequence {
                    columns: columns.clone(),
                    key: all_keys,
                    track,
                    close,
                    sources,
                }
            })
        },
    )
}

/// A version; times are numbers of runs that changed something.
#[derive(Clone, Debug)]
struct Version {
    cells: Vec<Cell>,
    from: usize,
    to: Option<usize>,
}

struct Model<'a> {
    sequence: &'a Sequence,
    versions: Vec<Version>,
    /// Runs that changed something.
    now: usize,
}

impl Model<'_> {
    fn is_same(&self, a: &[Cell], b: &[Cell], columns: impl IntoIterator<Item = usize>) -> bool {
        columns
            .into_iter()
            .all(|at| self.sequence.columns[at].is_same(a[at], b[at]))
    }

    /// Opens and closes versions; gives how many of each.
    fn apply(&mut self, rows: &[Vec<Cell>]) -> (usize, usize) {
        let Sequence {
            columns,
            key,
            track,
            close,
            ..
        } = self.sequence;
        let tracked: Vec<usize> = match track.as_slice() {
            [] => (*key..columns.len()).collect(),
            track => track.to_vec(),
        };
        let (mut opened, mut closed) = (Vec::new(), Vec::new());
        for (at, version) in self.versions.iter().enumerate() {
            if version.to.is_some() {
                continue;
            }
            let row = rows
                .iter()
                .find(|row| self.is_same(row, &version.cells, 0..*key));
            match row {
                None if *close => closed.push(at),
                Some(row) if !self.is_same(row, &version.cells, tracked.clone()) => {
                    closed.push(at);
                    opened.push(row.clone());
                }
                None | Some(_) => {}
            }
        }
        opened.extend(
            rows.iter()
                .filter(|row| {
                    !self.versions.iter().any(|version| {
                        version.to.is_none() && self.is_same(row, &version.cells, 0..*key)
                    })
                })
                .cloned(),
        );
        for &at in &closed {
            self.versions[at].to = Some(self.now);
        }
        let counts = (opened.len(), closed.len());
        self.versions
            .extend(opened.into_iter().map(|cells| Version {
                cells,
                from: self.now,
                to: None,
            }));
        counts
    }

    /// The versions as rows of the table, a time being the text of its run's.
    fn rows(&self, times: &[String], only_current: bool) -> Vec<Row> {
        let mut rows: Vec<Row> = self
            .versions
            .iter()
            .filter(|version| !only_current || version.to.is_none())
            .map(|version| {
                let cells = self.sequence.columns.iter().zip(&version.cells);
                let mut row: Row = cells.map(|(column, &cell)| column.text(cell)).collect();
                row.extend([
                    Some(times[version.from].clone()),
                    version.to.map(|run| times[run].clone()),
                    Some(version.to.is_none().to_string()),
                ]);
                row
            })
            .collect();
        rows.sort();
        rows
    }
}

/// From when, and until when.
type Times<'a> = (&'a String, Option<&'a String>);

/// What holds of any history, by its own times: versions of a key follow each other, one at most is current.
fn invariants(rows: &[Row], key: usize) -> TestCaseResult {
    let mut by_key: BTreeMap<&[Option<String>], Vec<Times<'_>>> = BTreeMap::new();
    for row in rows {
        let [from, to, current] = &row[row.len() - 3..] else {
            unreachable!()
        };
        prop_assert_eq!(to.is_none(), current.as_deref() == Some("true"));
        let versions = by_key.entry(&row[..key]).or_default();
        versions.push((from.as_ref().unwrap(), to.as_ref()));
    }
    for versions in by_key.values_mut() {
        versions.sort();
        for pair in versions.windows(2) {
            let (end, next) = (pair[0].1, pair[1].0);
            prop_assert!(end.is_some_and(|end| end <= next), "{versions:?}");
        }
        for (from, to) in versions {
            prop_assert!(to.is_none_or(|to| *from < to), "{from} {to:?}");
        }
    }
    Ok(())
}

fn one(world: &mut World, sequence: &Sequence) -> TestCaseResult {
    let names = |columns: &mut dyn Iterator<Item = usize>| {
        let names: Vec<&str> = columns.map(|at| sequence.columns[at].name).collect();
        names.join(",")
    };
    let mut line = format!(
        "{} history key=\"{}\"",
        world.materialize(),
        names(&mut (0..sequence.key))
    );
    if !sequence.track.is_empty() {
        line += &format!(" track=\"{}\"", names(&mut sequence.track.iter().copied()));
    }
    if sequence.close {
        line += " deletes=close";
    }
    let mut all: Vec<&str> = sequence.columns.iter().map(|column| column.name).collect();
    all.extend(TIMES);
    let mut model = Model {
        sequence,
        versions: Vec::new(),
        now: 0,
    };
    let mut times: Vec<String> = Vec::new();
    let mut exists = false;
    for (at, source) in sequence.sources.iter().enumerate() {
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for row in &source.rows {
            // A kind may hold a value twice.
            let mut known = rows.iter();
            if !known.any(|known| model.is_same(known, row, 0..sequence.key)) {
                rows.push(row.clone());
            }
        }
        let doubled = source.doubled && !rows.is_empty();
        if doubled {
            rows.push(rows[0].clone());
        }
        let script = format!(
            "{line}\n{}\n",
            select(&sequence.columns, &rows, &source.order)
        );
        let run = world.run(&script, None)?;
        if doubled {
            let message = run.map_or_else(|message| message, |summary| format!("{summary:?}"));
            prop_assert!(message.contains("more than one row"), "{message}");
            continue;
        }
        let summary = run.map_err(TestCaseError::fail)?;
        let (opened, closed) = model.apply(&rows);
        let changes = !exists || opened + closed > 0;
        exists = true;
        let count = |count: usize| i64::try_from(count).unwrap();
        same("changed", &summary.changed, &changes)?;
        same("inserted", &summary.rows_inserted, &count(opened))?;
        same("closed", &summary.versions_closed, &Some(count(closed)))?;
        same("deleted", &summary.rows_deleted, &0)?;
        let found = world.rows("", &all);
        if opened + closed > 0 {
            let seen: BTreeSet<&String> = found
                .iter()
                .flat_map(|row| &row[row.len() - 3..row.len() - 1])
                .flatten()
                .filter(|time| !times.contains(time))
                .collect();
            prop_assert_eq!(seen.len(), 1, "one time per run");
            let time = seen.into_iter().next().unwrap().clone();
            prop_assert!(
                times.last().is_none_or(|last| *last < time),
                "{times:?} {time}"
            );
            times.push(time);
            model.now += 1;
        }
        invariants(&found, sequence.key)?;
        same("rows", &found, &model.rows(&times, false))?;
        let current = world.rows("_current", &all);
        same("current rows", &current, &model.rows(&times, true))?;

        if source.again || at + 1 == sequence.sources.len() {
            let again = world.run(&script, None)?.map_err(TestCaseError::fail)?;
            same("changed by the same source", &again.changed, &false)?;
        }
    }
    Ok(())
}

#[test]
fn a_history_of_all_columns_is_what_the_model_says() {
    check(40, &sequences(false, 1), one);
    check(22, &sequences(false, SIDE_BY_SIDE), one);
}

#[test]
fn a_history_of_tracked_columns_is_what_the_model_says() {
    check(40, &sequences(true, 1), one);
    check(22, &sequences(true, SIDE_BY_SIDE), one);
}
