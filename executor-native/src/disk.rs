//! Room on disks.

use std::path::Path;

/// With less, neither a catalog nor a record can be written.
const ROOM_BYTES: u64 = 1 << 20;

/// Whether the disk that holds `path`, or would hold it, has no room left. One that cannot be asked has.
#[must_use]
pub(crate) fn is_full(path: &Path) -> bool {
    path.ancestors()
        .find_map(|folder| fs4::available_space(folder).ok())
        .is_some_and(|bytes| bytes < ROOM_BYTES)
}
