//! Snapshots in the corpus whose case is gone. No test reads them, so no test would fail.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::workspace::Workspace;

pub(super) fn unreferenced(workspace: &Workspace) -> Result<(), Failure> {
    let stray = stray_files(&workspace.path("parity-corpus/cases"))?;
    if stray.is_empty() {
        return Ok(());
    }
    let list: String = stray
        .iter()
        .map(|path| format!("\n  {}", path.display()))
        .collect();
    Err(
        Failure::new(format!("{} without a case:{list}", stray.len()))
            .mend("delete them, or rename them with their case"),
    )
}

/// Snapshots and options below `folder` that no `.sql` file beside them accounts for.
///
/// # Errors
/// When a folder cannot be listed.
fn stray_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let files = files_below(folder)?;
    Ok(files
        .iter()
        .filter(|path| case_of(path).is_some_and(|case| !files.contains(&case)))
        .cloned()
        .collect())
}

/// The case that a file belongs to: `area/name.sql` for `area/name.<kind>.snap` and `area/name.options.json`.
fn case_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let stem = match name.strip_suffix(".snap") {
        Some(named) => named.rsplit_once('.').map_or(named, |(stem, _kind)| stem),
        None => name.strip_suffix(".options.json")?,
    };
    Some(path.with_file_name(format!("{stem}.sql")))
}

/// The files below a folder, in order of their paths.
///
/// # Errors
/// When a folder cannot be listed.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).map_err(|error| Failure::file("list", &folder, &error))?;
        for entry in entries {
            let path = entry
                .map_err(|error| Failure::file("list", &folder, &error))?
                .path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_a_missing_case_are_stray() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("merge")).unwrap();
        for name in [
            "merge/kept.sql",
            "merge/kept.parse.snap",
            "merge/kept.sql.snap",
            "merge/kept.options.json",
            "merge/gone.plan.snap",
            "merge/gone.options.json",
            "README.md",
        ] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let stray = stray_files(folder.path()).unwrap();
        assert_eq!(
            stray,
            ["merge/gone.options.json", "merge/gone.plan.snap"]
                .map(|name| folder.path().join(name))
        );
    }
}
