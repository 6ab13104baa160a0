//! Partition identities: which slice a value names, and where it begins and ends.
//!
//! All arithmetic here is civil (calendar) arithmetic in the partition's own zone: a day is the next
//! date, not 24 hours. The executor, which has the time-zone database, turns an instant into the civil
//! time to ask about.

pub mod format;

use time::{Date, Duration, Month, Time};

use crate::script::{Grain, TimePartition};

/// Date and time of day, without a zone.
pub use time::PrimitiveDateTime as CivilTime;

/// Years that the calendar, the engine and four digits can all name.
const YEARS: std::ops::RangeInclusive<i32> = 1..=9998;

/// A civil time; `None` when there is no such time, or outside the years 1 to 9998.
///
/// ```
/// assert!(parser_core::partition::civil_time(2024, 2, 29, 23, 59, 59).is_some());
/// assert!(parser_core::partition::civil_time(2023, 2, 29, 0, 0, 0).is_none());
/// ```
#[must_use]
pub fn civil_time(
    year: i32,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
) -> Option<CivilTime> {
    if !YEARS.contains(&year) {
        return None;
    }
    let date = Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()?;
    Some(date.with_time(Time::from_hms(hour, minute, second).ok()?))
}

/// As the engine reads and writes it: `2024-01-01 00:00:00`.
#[must_use]
pub fn timestamp_text(at: CivilTime) -> String {
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
        at.year(),
        u8::from(at.month()),
        at.day(),
        at.hour(),
        at.minute(),
        at.second()
    )
}

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
    pub start: CivilTime,
    /// Exclusive.
    pub end: CivilTime,
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
    start: Option<CivilTime>,
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
    pub const fn start(&self) -> Option<CivilTime> {
        self.start
    }

    /// The slice that holds civil time `at`.
    ///
    /// # Errors
    /// [`PartitionError::OutOfRange`] outside the years 1 to 9998.
    pub fn slice_at(&self, at: CivilTime) -> Result<Slice, PartitionError> {
        if !YEARS.contains(&at.year()) {
            return Err(PartitionError::OutOfRange);
        }
        let out_of_range = || PartitionError::OutOfRange;
        let midnight = at.date().midnight();
        let start = match self.grain {
            Grain::Hourly => midnight + Duration::hours(at.hour().into()),
            Grain::Daily => midnight,
            Grain::Weekly => {
                let since_monday = at.weekday().number_days_from_monday();
                midnight
                    .checked_sub(Duration::days(since_monday.into()))
                    .ok_or_else(out_of_range)?
            }
            Grain::Monthly => midnight.replace_day(1).map_err(|_| out_of_range())?,
        };
        let end = match self.grain {
            Grain::Hourly => start.checked_add(Duration::HOUR),
            Grain::Daily => start.checked_add(Duration::DAY),
            Grain::Weekly => start.checked_add(Duration::WEEK),
            Grain::Monthly => {
                let month = start.month().next();
                let year = start.year() + i32::from(month == Month::January);
                Date::from_calendar_date(year, month, 1)
                    .ok()
                    .map(Date::midnight)
            }
        }
        .ok_or_else(out_of_range)?;
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
        format::read(&self.format, value)
            .and_then(|at| self.slice_at(at).ok())
            .filter(|slice| slice.value == value)
            .ok_or_else(|| PartitionError::NotOfGrid {
                value: value.to_owned(),
                grain: self.grain.as_str(),
                example: civil_time(2024, 6, 19, 13, 0, 0)
                    .and_then(|at| self.slice_at(at).ok())
                    .map_or_else(|| self.format.clone(), |slice| slice.value),
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
    pub fn between(&self, from: CivilTime, to: CivilTime) -> Result<Vec<Slice>, PartitionError> {
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
    pub fn parse_time(&self, text: &str) -> Option<CivilTime> {
        if let Ok(Slice {
            bounds: Some(bounds),
            ..
        }) = self.slice(text)
        {
            return Some(bounds.start);
        }
        date_or_time(text)
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
                start: self.slice_at(start)?.value,
            });
        }
        Ok(())
    }
}

/// `2024-06-19`, or with a `T` or blank and `13`, `13:00` or `13:00:00` behind it.
fn date_or_time(text: &str) -> Option<CivilTime> {
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let number = |text: &str, width: usize| -> Option<u16> {
        let plain = text.len() == width && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = plain.then(|| text.parse::<u64>().ok()).flatten()?;
        u16::try_from(number).ok()
    };
    let two = |text: &str| number(text, 2).and_then(|number| u8::try_from(number).ok());
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let mut clock = [0; 3];
    if let Some(time) = time {
        let parts: Vec<&str> = time.split(':').collect();
        for (at, part) in parts.iter().enumerate() {
            *clock.get_mut(at)? = two(part)?;
        }
    }
    let [hour, minute, second] = clock;
    let rest_is_empty = parts.next().is_none();
    civil_time(
        number(year, 4)?.into(),
        two(month)?,
        two(day)?,
        hour,
        minute,
        second,
    )
    .filter(|_| rest_is_empty)
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
        for ((year, month, day), value) in [
            ((2024, 12, 30), "2025-W01"),
            ((2027, 1, 1), "2026-W53"),
            ((2027, 1, 3), "2026-W53"),
        ] {
            let at = civil_time(year, month, day, 7, 30, 0).unwrap();
            assert_eq!(weekly.slice_at(at).unwrap().value, value);
        }
        let slice = weekly.slice("2026-W53").unwrap();
        assert_eq!(
            slice.bounds.unwrap().start,
            civil_time(2026, 12, 28, 0, 0, 0).unwrap()
        );
        assert!(weekly.slice("2025-W53").is_err());
        assert!(grid(Grain::Daily).slice("2023-02-29").is_err());
        assert!(grid(Grain::Daily).slice("2023-2-9").is_err());
        assert!(grid(Grain::Hourly).slice("2023-02-09T24").is_err());
    }

    #[test]
    fn a_range_counts_calendar_slices() {
        let from = civil_time(2024, 2, 28, 5, 0, 0).unwrap();
        let to = civil_time(2024, 3, 1, 0, 0, 0).unwrap();
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
            year in 1i32..=9998, day in 1u16..=365, hour in 0u8..24, which in 0usize..4,
        ) {
            let grain = [Grain::Hourly, Grain::Daily, Grain::Weekly, Grain::Monthly][which];
            let grid = grid(grain);
            let date = Date::from_ordinal_date(year, day).unwrap();
            let at = date.with_time(Time::from_hms(hour, 59, 59).unwrap());
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
        fn every_sound_format_reads_what_it_writes(
            year in 1i32..=9998, day in 1u16..=365, hour in 0u8..24, which in 0usize..9,
        ) {
            let (grain, format) = [
                (Grain::Daily, "%d.%m.%Y"),
                (Grain::Daily, "%-d/%-m/%Y"),
                (Grain::Daily, "%Y%j"),
                (Grain::Daily, "%G-W%V-%u"),
                (Grain::Daily, "%A %B %d %Y"),
                (Grain::Daily, "%a %d %b %Y, day %-j, 100%%"),
                (Grain::Hourly, "%Y-%m-%d %I%p"),
                (Grain::Hourly, "%Y-%m-%d %-I %p"),
                (Grain::Monthly, "%B %Y"),
            ][which];
            prop_assert_eq!(format::check(format, grain), Ok(()));
            let at = Date::from_ordinal_date(year, day).unwrap().with_time(Time::from_hms(hour, 0, 0).unwrap());
            let grid = Grid { grain, format: format.to_owned(), start: None };
            let slice = grid.slice_at(at).unwrap();
            prop_assert_eq!(grid.slice(&slice.value), Ok(slice));
        }

        #[test]
        fn no_value_panics(value in any::<String>(), which in 0usize..4) {
            let grain = [Grain::Hourly, Grain::Daily, Grain::Weekly, Grain::Monthly][which];
            let _ = grid(grain).slice(&value);
        }
    }
}
