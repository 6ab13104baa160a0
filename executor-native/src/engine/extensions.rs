//! The engine's extensions: which ones a lake needs and where they are looked for.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use parser_core::plan::{Catalog, LakeSource};

use sha2::{Digest, Sha256};

use crate::config::EngineConfig;

/// The SHA-256 sums of the extensions that this program was built with, `name=sum,…`. Without any (another platform, the
/// engine compiled in) the engine checks signatures itself.
const SUMS: &str = match option_env!("LAKEMILL_EXTENSION_SUMS") {
    Some(sums) => sums,
    None => "",
};

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

    /// Its file in the folder of a platform.
    fn file(self, platform: &Path) -> PathBuf {
        platform.join(format!("{}.duckdb_extension", self.name()))
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
    platforms(directory)
        .iter()
        .any(|platform| needs.iter().all(|need| need.file(platform).is_file()))
}

/// Whether every file of these extensions below `directory` is, byte for byte, one that this program was built with: then
/// there is no need to check its signature, which takes the engine six times as long.
#[must_use]
pub fn are_known(directory: &Path, needs: &[Extension]) -> bool {
    let platforms = platforms(directory);
    let mut files = needs.iter().flat_map(|need| {
        let files = platforms.iter().map(|platform| need.file(platform));
        files
            .filter(|file| file.exists())
            .map(move |file| (*need, file))
    });
    !SUMS.is_empty() && files.all(|(need, file)| is_known(need, &file))
}

fn is_known(extension: Extension, file: &Path) -> bool {
    let sum = SUMS
        .split(',')
        .filter_map(|pair| pair.split_once('='))
        .find_map(|(name, sum)| (name == extension.name()).then_some(sum));
    sum.is_some() && sum == sum_of(file).ok().as_deref()
}

/// The SHA-256 sum of a file, as lower-case hexadecimal digits.
fn sum_of(file: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut reader = BufReader::with_capacity(1 << 18, File::open(file)?);
    io::copy(&mut reader, &mut hasher)?;
    Ok(format!("{:x}", hasher.finalize()))
}

/// The folders below `directory` with extensions of this engine's version, one per platform.
fn platforms(directory: &Path) -> Vec<PathBuf> {
    let version = directory.join(option_env!("LAKEMILL_ENGINE_VERSION").map_or_else(
        || "v1.5.5".to_owned(),
        |v| format!("v{}", v.trim_start_matches('v')),
    ));
    let entries = std::fs::read_dir(version).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, question};

    /// A folder with a copy of the build's extension files of `needs`, each changed as told.
    fn copies(needs: &[Extension], change: impl Fn(&mut Vec<u8>)) -> tempfile::TempDir {
        let toolchain = choose(&directories(&EngineConfig::default()), needs).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for platform in platforms(&toolchain) {
            let copy = folder
                .path()
                .join(platform.strip_prefix(&toolchain).unwrap());
            std::fs::create_dir_all(&copy).unwrap();
            for need in needs {
                let mut bytes = std::fs::read(need.file(&platform)).unwrap();
                change(&mut bytes);
                std::fs::write(need.file(&copy), bytes).unwrap();
            }
        }
        folder
    }

    fn config(folder: &Path) -> EngineConfig {
        EngineConfig {
            extension_directory: Some(folder.to_path_buf()),
            ..EngineConfig::default()
        }
    }

    #[test]
    fn files_of_the_build_load_without_signature_and_nothing_after_them() {
        let needs = [Extension::DuckLake];
        let same = copies(&needs, |_| {});
        assert_eq!(are_known(same.path(), &needs), !SUMS.is_empty());
        let engine = Engine::open(&config(same.path()), Path::new("."), &needs).unwrap();
        let setting = "SELECT current_setting('allow_unsigned_extensions')::VARCHAR";
        let texts = engine.texts(&question::test_only(setting)).unwrap();
        assert_eq!(texts, ["false"]);
        let allow = "SET allow_unsigned_extensions = true";
        assert!(engine.run(&question::test_only(allow)).is_err());
    }

    #[test]
    fn a_changed_file_needs_a_signature() {
        let needs = [Extension::DuckLake];
        let changed = copies(&needs, |bytes| *bytes.last_mut().unwrap() ^= 1);
        assert!(!are_known(changed.path(), &needs));
        let opened = Engine::open(&config(changed.path()), Path::new("."), &needs);
        let message = opened.err().unwrap().to_string();
        assert!(message.contains("signature"), "{message}");
    }
}
