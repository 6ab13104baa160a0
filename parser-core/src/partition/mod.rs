//! Partition identities: which slice a value names, and where it begins and ends.
//!
//! All arithmetic here is civil (calendar) arithmetic in the partition's own zone: a day is the next
//! date, not 24 hours. The executor, which has the time-zone database, turns an instant into the civil
//! time to ask about.

pub mod format;

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

use crate::script::{Grain, TimePartition};

/// One slice of a partitioned asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The identity, as stored in `_wm_partition`.
    pub value: String,
    /// Start (inclusive) and end (exclusive) in the partition's zone; `None` for `dynamic`.
    pub bounds: Option<Bounds>,
}

/// Civil times in the partition's zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Inclusive.
    pub start: DateTime,
    /// Exclusive.
    pub end: DateTime,
}

/// What is wrong with a partition value or range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartitionError {
    /// The value is not an identity of the grid.
    #[error("`{value}` is no {grain} partition; write it like `{example}`")]
    NotOfGrid {
        /// What was given.
        value: String,
        /// The grid's grain.
        grain: &'static str,
        /// A value of the grid.
        example: String,
    },
    /// The slice lies before `start=`.
    #[error("partition `{value}` lies before the start `{start}`")]
    BeforeStart {
        /// What was given.
        value: String,
        /// The declared start.
        start: String,
    },
    /// Outside the years that the engine and the calendar can name.
    #[error("the time is outside the years 0001 to 9998")]
    OutOfRange,
}

/// The slices of one time-partitioned asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    grain: Grain,
    format: String,
    start: Option<DateTime>,
}

impl Grid {
    /// The grid that an annotation declares. A `start=` that does not parse counts as absent here;
    /// validation reports it.
    #[must_use]
    pub fn new(partition: &TimePartition) -> Self {
        let format = partition
            .format
            .as_ref()
            .map_or(partition.grain.default_format(), |format| &format.value);
        let mut grid = Self {
            grain: partition.grain,
            format: format.to_owned(),
            start: None,
        };
        grid.start = partition
            .start
            .as_ref()
            .and_then(|start| grid.parse_time(&start.value));
        grid
    }

    /// Its grain.
    #[must_use]
    pub const fn grain(&self) -> Grain {
        self.grain
    }

    /// The strftime format of its identities.
    #[must_use]
    pub fn format(&self) -> &str {
        &self.format
    }

    /// The first slice's start, when one is declared.
    #[must_use]
    pub const fn start(&self) -> Option<DateTime> {
        self.start
    }

    /// The slice that holds civil time `at`.
    ///
    /// # Errors
    /// [`PartitionError::OutOfRange`] outside the years 1 to 9998.
    pub fn slice_at(&self, at: DateTime) -> Result<Slice, PartitionError> {
        let out_of_range = |_| PartitionError::OutOfRange;
        if !(1..=9998).contains(&at.year()) {
            return Err(PartitionError::OutOfRange);
        }
        let date = at.date();
        let start = match self.grain {
            Grain::Hourly => date.at(at.hour(), 0, 0, 0),
            Grain::Daily => date.at(0, 0, 0, 0),
            Grain::Weekly => {
                let since_monday = i64::from(date.weekday().to_monday_zero_offset());
                date.checked_sub(since_monday.days())
                    .map_err(out_of_range)?
                    .at(0, 0, 0, 0)
            }
            Grain::Monthly => date.first_of_month().at(0, 0, 0, 0),
        };
        let step = match self.grain {
            Grain::Hourly => 1.hours(),
            Grain::Daily => 1.days(),
            Grain::Weekly => 1.weeks(),
            Grain::Monthly => 1.months(),
        };
        let end = start.checked_add(step).map_err(out_of_range)?;
        let value = format::write(&self.format, start).ok_or(PartitionError::OutOfRange)?;
        Ok(Slice {
            value,
            bounds: Some(Bounds { start, end }),
        })
    }

    /// The slice that `value` names.
    ///
    /// # Errors
    /// [`PartitionError::NotOfGrid`] unless formatting the slice gives `value` back.
    pub fn slice(&self, value: &str) -> Result<Slice, PartitionError> {
        format::read(&self.format, self.grain, value)
            .and_then(|at| self.slice_at(at).ok())
            .filter(|slice| slice.value == value)
            .ok_or_else(|| PartitionError::NotOfGrid {
                value: value.to_owned(),
                grain: self.grain.as_str(),
                example: self
                    .slice_at(Date::constant(2024, 6, 19).at(13, 0, 0, 0))
                    .map_or_else(|_| self.format.clone(), |slice| slice.value),
            })
    }

    /// The slice after `slice`.
    ///
    /// # Errors
    /// [`PartitionError::OutOfRange`] at the calendar's end.
    pub fn next(&self, slice: &Bounds) -> Result<Slice, PartitionError> {
        self.slice_at(slice.end)
    }

    /// Every slice from the one that holds `from` to the one that holds `to`, both included, in
    /// order; empty when `to` lies before `from`.
    ///
    /// # Errors
    /// [`PartitionError::OutOfRange`] when a slice is.
    pub fn between(&self, from: DateTime, to: DateTime) -> Result<Vec<Slice>, PartitionError> {
        let mut slices = Vec::new();
        let mut at = from;
        loop {
            let slice = self.slice_at(at)?;
            let Some(bounds) = slice.bounds else { break };
            if bounds.start > to {
                break;
            }
            slices.push(slice);
            at = bounds.end;
        }
        Ok(slices)
    }

    /// Reads a point of time as people write it: an identity of the grid, a date, or a date with time.
    #[must_use]
    pub fn parse_time(&self, text: &str) -> Option<DateTime> {
        if let Ok(Slice {
            bounds: Some(bounds),
            ..
        }) = self.slice(text)
        {
            return Some(bounds.start);
        }
        text.parse::<DateTime>()
            .ok()
            .filter(|at| (1..=9998).contains(&at.year()))
    }

    /// Fails when `slice` lies before the declared start.
    ///
    /// # Errors
    /// [`PartitionError::BeforeStart`].
    pub fn check_start(&self, slice: &Slice) -> Result<(), PartitionError> {
        let (Some(start), Some(bounds)) = (self.start, slice.bounds) else {
            return Ok(());
        };
        if bounds.end <= start {
            return Err(PartitionError::BeforeStart {
                value: slice.value.clone(),
                start: start.to_string(),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grid(grain: Grain) -> Grid {
        Grid::new(&TimePartition {
            grain,
            tz: None,
            format: None,
            start: None,
        })
    }

    #[test]
    fn identities_at_year_ends() {
        let weekly = grid(Grain::Weekly);
        for (date, value) in [
            (Date::constant(2024, 12, 30), "2025-W01"),
            (Date::constant(2027, 1, 1), "2026-W53"),
            (Date::constant(2027, 1, 3), "2026-W53"),
        ] {
            assert_eq!(weekly.slice_at(date.at(7, 30, 0, 0)).unwrap().value, value);
        }
        let slice = weekly.slice("2026-W53").unwrap();
        assert_eq!(
            slice.bounds.unwrap().start,
            Date::constant(2026, 12, 28).at(0, 0, 0, 0)
        );
        assert!(weekly.slice("2025-W53").is_err());
        assert!(grid(Grain::Daily).slice("2023-02-29").is_err());
        assert!(grid(Grain::Daily).slice("2023-2-9").is_err());
        assert!(grid(Grain::Hourly).slice("2023-02-09T24").is_err());
    }

    #[test]
    fn a_range_counts_calendar_slices() {
        let from = Date::constant(2024, 2, 28).at(5, 0, 0, 0);
        let to = Date::constant(2024, 3, 1).at(0, 0, 0, 0);
        let values: Vec<String> = grid(Grain::Daily)
            .between(from, to)
            .unwrap()
            .into_iter()
            .map(|slice| slice.value)
            .collect();
        assert_eq!(values, ["2024-02-28", "2024-02-29", "2024-03-01"]);
        assert!(grid(Grain::Daily).between(to, from).unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn a_slice_names_itself_and_slices_tile_time(
            year in 1i16..9998, day in 1i16..=365, hour in 0i8..24, which in 0usize..4,
        ) {
            let grain = [Grain::Hourly, Grain::Daily, Grain::Weekly, Grain::Monthly][which];
            let grid = grid(grain);
            let date = Date::constant(year, 1, 1).checked_add((i64::from(day) - 1).days()).unwrap();
            let at = date.at(hour, 59, 59, 0);
            let Ok(slice) = grid.slice_at(at) else { return Ok(()) };
            let bounds = slice.bounds.unwrap();
            prop_assert!(bounds.start <= at && at < bounds.end);
            prop_assert_eq!(&grid.slice(&slice.value).unwrap(), &slice);
            prop_assert_eq!(grid.slice_at(bounds.start).unwrap(), slice.clone());
            if let Ok(next) = grid.next(&bounds) {
                prop_assert_eq!(next.bounds.unwrap().start, bounds.end);
                prop_assert!(next.value != slice.value);
            }
        }

        #[test]
        fn no_value_panics(value in any::<String>(), which in 0usize..4) {
            let grain = [Grain::Hourly, Grain::Daily, Grain::Weekly, Grain::Monthly][which];
            let _ = grid(grain).slice(&value);
        }
    }
}
