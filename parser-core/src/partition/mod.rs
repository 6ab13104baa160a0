//! Partition identities: which slice a value names, and where it begins and ends.

use jiff::civil::DateTime;

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
