//! Room on disks, who may write them, and who holds files.

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

/// Whether this process may write a file, or make files in a folder.
#[cfg(unix)]
#[must_use]
pub(crate) fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

/// Elsewhere it shows when it is tried.
#[cfg(not(unix))]
#[must_use]
pub(crate) fn is_writable(_path: &Path) -> bool {
    true
}

/// The other process that has a POSIX lock on a file; `None` where that cannot be told. Nothing is opened for it: to close a
/// file drops the locks that the process itself has on it.
#[cfg(target_os = "linux")]
#[must_use]
pub(crate) fn locked_by(path: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::metadata(path).ok()?.ino().to_string();
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    // `2: POSIX  ADVISORY  WRITE 4464 fe:00:5308620 0 EOF`
    let mut holders = locks.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "POSIX", _, _, process, place, ..] = words.as_slice() else {
            return None;
        };
        let is_this = place.rsplit(':').next() == Some(file.as_str());
        process.parse::<u32>().ok().filter(|_| is_this)
    });
    holders.find(|process| *process != std::process::id())
}

/// Elsewhere nobody tells.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub(crate) fn locked_by(_path: &Path) -> Option<u32> {
    None
}
