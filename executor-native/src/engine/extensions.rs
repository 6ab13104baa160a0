//! The engine's extensions: which ones a lake needs and where they are looked for.

use std::path::{Path, PathBuf};

use parser_core::plan::{Catalog, LakeSource};

use crate::config::EngineConfig;

/// An extension of the engine that lakemill loads itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extension {
    /// The lake format.
    DuckLake,
    /// SQLite catalogs.
    Sqlite,
    /// PostgreSQL catalogs.
    Postgres,
    /// S3 and HTTP.
    Httpfs,
    /// Time zones.
    Icu,
}

impl Extension {
    /// Every extension.
    pub const ALL: [Self; 5] = [
        Self::DuckLake,
        Self::Sqlite,
        Self::Postgres,
        Self::Httpfs,
        Self::Icu,
    ];

    /// The engine's name for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DuckLake => "ducklake",
            Self::Sqlite => "sqlite_scanner",
            Self::Postgres => "postgres_scanner",
            Self::Httpfs => "httpfs",
            Self::Icu => "icu",
        }
    }

    /// What the lakes need, each once.
    #[must_use]
    pub fn for_lakes<'a>(lakes: impl IntoIterator<Item = &'a LakeSource>) -> Vec<Self> {
        let mut needs = Vec::new();
        for lake in lakes {
            needs.push(Self::DuckLake);
            match lake.catalog {
                Catalog::Sqlite(_) => needs.push(Self::Sqlite),
                Catalog::Postgres { .. } => needs.push(Self::Postgres),
                Catalog::DuckDb(_) => {}
            }
            if lake.data_path.contains("://") {
                needs.push(Self::Httpfs);
            }
        }
        needs.sort_unstable();
        needs.dedup();
        needs
    }
}

/// Folders in the order they are searched: configuration, environment, beside the program, the build's toolchain. The
/// engine's own default (`~/.duckdb/extensions`) is used when none of them has what is needed.
#[must_use]
pub fn directories(config: &EngineConfig) -> Vec<PathBuf> {
    let beside = std::env::current_exe()
        .ok()
        .and_then(|exe| Some(exe.parent()?.join("extensions")));
    [
        config.extension_directory.clone(),
        std::env::var_os("LAKEMILL_EXTENSION_DIRECTORY").map(PathBuf::from),
        beside,
        option_env!("LAKEMILL_TOOLCHAIN_EXTENSIONS").map(PathBuf::from),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The first folder that holds every needed extension for some platform of this engine's version.
#[must_use]
pub fn choose(directories: &[PathBuf], needs: &[Extension]) -> Option<PathBuf> {
    directories
        .iter()
        .find(|directory| holds(directory, needs))
        .or_else(|| {
            directories
                .iter()
                .find(|directory| holds(directory, &[Extension::DuckLake]))
        })
        .cloned()
}

/// Whether `directory` holds the extensions, under `VERSION/PLATFORM/`.
#[must_use]
pub fn holds(directory: &Path, needs: &[Extension]) -> bool {
    let version = directory.join(option_env!("LAKEMILL_ENGINE_VERSION").map_or_else(
        || "v1.5.5".to_owned(),
        |v| format!("v{}", v.trim_start_matches('v')),
    ));
    std::fs::read_dir(version).is_ok_and(|platforms| {
        platforms.filter_map(Result::ok).any(|platform| {
            needs.iter().all(|need| {
                platform
                    .path()
                    .join(format!("{}.duckdb_extension", need.name()))
                    .is_file()
            })
        })
    })
}

/// The folders, for a message.
#[must_use]
pub fn display(directories: &[PathBuf]) -> String {
    let mut names: Vec<String> = directories
        .iter()
        .map(|directory| directory.display().to_string())
        .collect();
    names.push("~/.duckdb/extensions".to_owned());
    names.join(", ")
}
