//! Which slice a run writes: the one that was asked for, or the one that is open now.

use jiff::tz::TimeZone;
use parser_core::Script;
use parser_core::partition::{CivilTime, Grid, PartitionError, Slice, civil_time};
use parser_core::script::{Partitioned, TimePartition};
use parser_core::validate::Zones;

/// Why a slice cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum SliceError {
    /// The value is not one of the script's slices.
    #[error("partition: {0}")]
    Partition(#[from] PartitionError),
    /// The zone is unknown here.
    #[error("the time zone `{0}` is not known: write an IANA name like `Europe/Paris`")]
    Zone(String),
    /// Only the caller knows.
    #[error("the script is `partitioned dynamic`: name the slice with `--partition VALUE`")]
    Dynamic,
}

/// The slice of a run; `None` when the script is not partitioned.
///
/// Explicit value, else the slice that holds the present instant in the script's zone.
///
/// # Errors
/// [`SliceError`]
pub fn resolve(
    script: &Script,
    value: Option<&str>,
    now: jiff::Timestamp,
) -> Result<Option<Slice>, SliceError> {
    let Some(partition) = &script.header.partition else {
        // The plan refuses a value here, at the script's line.
        return Ok(value.map(|value| Slice {
            value: value.to_owned(),
            bounds: None,
        }));
    };
    match (&partition.value, value) {
        (Partitioned::Dynamic { .. }, None) => Err(SliceError::Dynamic),
        (Partitioned::Dynamic { .. }, Some(value)) => Ok(Some(Slice {
            value: value.to_owned(),
            bounds: None,
        })),
        (Partitioned::Time(time), value) => {
            let grid = Grid::new(time);
            let slice = match value {
                Some(value) => grid.slice(value)?,
                None => grid.slice_at(civil_now(time, now)?)?,
            };
            grid.check_start(&slice)?;
            Ok(Some(slice))
        }
    }
}

/// The present civil time in the partition's zone.
fn civil_now(time: &TimePartition, now: jiff::Timestamp) -> Result<CivilTime, SliceError> {
    let zone = match &time.tz {
        Some(name) => {
            TimeZone::get(&name.value).map_err(|_| SliceError::Zone(name.value.clone()))?
        }
        None => TimeZone::UTC,
    };
    let at = now.to_zoned(zone);
    let part = |number: i8| u8::try_from(number).unwrap_or_default();
    civil_time(
        at.year().into(),
        part(at.month()),
        part(at.day()),
        part(at.hour()),
        part(at.minute()),
        // A leap second counts as the one before it.
        part(at.second()).min(59),
    )
    .ok_or(SliceError::Partition(PartitionError::OutOfRange))
}

/// Time zones from the database that is part of the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemZones;

impl Zones for SystemZones {
    fn is_known(&self, name: &str) -> bool {
        TimeZone::get(name).is_ok()
    }

    fn has_fold(&self, name: &str) -> bool {
        // A zone whose clock was set back in these years has daylight saving as far as anyone can plan for.
        let Ok(zone) = TimeZone::get(name) else {
            return false;
        };
        let start = jiff::civil::date(2020, 1, 1)
            .at(0, 0, 0, 0)
            .to_zoned(TimeZone::UTC);
        let Ok(start) = start else { return false };
        let mut before = zone.to_offset(start.timestamp());
        for transition in zone.following(start.timestamp()).take(20) {
            if transition.offset().seconds() < before.seconds() {
                return true;
            }
            before = transition.offset();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_known_and_folds_are_seen() {
        let zones = SystemZones;
        assert!(zones.is_known("Europe/Paris") && zones.has_fold("Europe/Paris"));
        assert!(zones.is_known("Asia/Kolkata") && !zones.has_fold("Asia/Kolkata"));
        assert!(!zones.is_known("Mars/Base"));
    }

    #[test]
    fn now_is_told_in_the_zone() {
        let text = "-- materialize ducklake://a/b\n-- partitioned daily tz=Pacific/Auckland\nSELECT 1 AS x";
        let script = parser_core::parse(text).script;
        let now: jiff::Timestamp = "2024-01-01T23:00:00Z".parse().unwrap();
        assert_eq!(
            resolve(&script, None, now).unwrap().unwrap().value,
            "2024-01-02"
        );
    }
}
