//! `lakemill init`

use std::fs;
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::output::Output;
use crate::config::ConfigError;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lakemill init\n  lakemill init my-project")]
pub(super) struct Arguments {
    /// Folder [default: the current one]
    folder: Option<PathBuf>,
}

/// The files of a new project: path and text.
const FILES: [(&str, &str); 3] = [
    (
        "lakemill.toml",
        include_str!("../../templates/lakemill.toml"),
    ),
    (
        "pipelines/example.sql",
        include_str!("../../templates/example.sql"),
    ),
    (".gitignore", ".lakemill/\n"),
];

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let folder = match (directory, &arguments.folder) {
        (Some(directory), Some(folder)) => directory.join(folder),
        (Some(directory), None) => directory.to_path_buf(),
        (None, Some(folder)) => folder.clone(),
        (None, None) => PathBuf::from("."),
    };
    for (name, text) in FILES {
        let path = folder.join(name);
        if write_new(&path, text.as_bytes())? {
            output.tick(&format!("wrote {}", path.display()));
        } else {
            output.note(&format!(
                "  kept {}, which is there already",
                path.display()
            ));
        }
    }
    output.note("\nNext: lakemill run, then lakemill preview main/example");
    Ok(())
}

/// Writes a file that is not there yet; gives whether it did.
pub(super) fn write_new(path: &Path, bytes: &[u8]) -> Result<bool, ConfigError> {
    let fail = |source| ConfigError::File {
        path: path.to_path_buf(),
        source,
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(fail)?;
    }
    match fs::File::create_new(path) {
        Ok(mut file) => {
            std::io::Write::write_all(&mut file, bytes).map_err(fail)?;
            Ok(true)
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(ConfigError::File {
            path: path.to_path_buf(),
            source: error,
        }),
    }
}
