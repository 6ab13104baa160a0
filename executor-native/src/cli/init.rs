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

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::FILES;
    use crate::config::Config;

    /// The template with every setting that it shows only; its remarks stay comments.
    fn all_settings() -> String {
        let is_setting = |line: &str| {
            let name = line.split(" = ").next().unwrap_or_default();
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            line.starts_with('[') || (name != line && name.chars().all(is_name))
        };
        let lines = FILES[0]
            .1
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(hidden) if is_setting(hidden) => hidden,
                Some(_) | None => line,
            });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The names of settings that a configuration knows, with what has none replaced by what the template names.
    fn names(config: &Value, of: &str, found: &mut Vec<String>) {
        for (name, value) in config.as_object().into_iter().flatten() {
            let path = format!("{of}{name}");
            match value {
                Value::Object(_) => names(value, &format!("{path}."), found),
                _ => found.push(path),
            }
        }
    }

    #[test]
    fn the_template_shows_every_setting_and_reads_as_configuration() {
        let text = all_settings();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lakemill.toml");
        std::fs::write(&file, &text).unwrap();
        let config = Config::read(&file).unwrap();
        let (mut known, mut shown) = (Vec::new(), Vec::new());
        names(&serde_json::to_value(&config).unwrap(), "", &mut known);
        let written: Value = toml::from_str(&text).unwrap();
        names(&written, "", &mut shown);
        known.sort();
        shown.sort();
        assert_eq!(known, shown);
        assert!(shown.len() > 20, "{shown:?}");
        // As it is, it changes nothing.
        std::fs::write(&file, FILES[0].1).unwrap();
        let plain = serde_json::to_value(Config::read(&file).unwrap()).unwrap();
        assert_eq!(plain, serde_json::to_value(Config::default()).unwrap());
    }
}
