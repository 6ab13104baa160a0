//! Configuration: `lakemill.toml` layered with `LAKEMILL_…` variables, over defaults that need no file at all.

mod confinement;
mod datatables;
mod lakes;
mod project;
mod secret;
mod state;
mod storage;
mod timeout;

use std::collections::BTreeMap;
use std::path::PathBuf;

use figment::Figment;
use figment::providers::{Env, Format, Toml};
use parser_core::plan::PublishMode;
use serde::{Deserialize, Serialize};

pub use datatables::DatatableConfig;
pub use project::{Project, ScriptFile, Scripts, Unreadable};
use secret::Holds;
pub use secret::{Secret, mask};
pub use state::{StateConfig, StateSource, Store};
pub use storage::{S3, S3Config, StorageConfig, UrlStyle, is_on_s3};
pub use timeout::{NoTimeout, Timeout};

/// What is wrong with the configuration, or with what it points at.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file or a variable does not read as configuration.
    #[error("the configuration does not read: {0}")]
    Read(Box<figment::Error>),
    /// A lake that no `[lakes.…]` section declares.
    #[error(
        "the lake `{name}` is not declared; `lakemill.toml` declares {declared}. Add `[lakes.{name}]` with a `catalog`"
    )]
    UnknownLake {
        /// The name that was asked for.
        name: String,
        /// The declared names, for the message.
        declared: String,
    },
    /// A lake's name that cannot be a file's name, where it must be one.
    #[error(
        "the lake name `{0}` cannot be a file name: declare it as `[lakes.\"{0}\"]` with a `catalog`"
    )]
    LakeName(String),
    /// A catalog text without a known scheme.
    #[error(
        "the catalog of the lake `{lake}` is `{catalog}`: write `sqlite:FILE`, `duckdb:FILE` or `postgres:…`"
    )]
    Catalog {
        /// The lake.
        lake: String,
        /// The text, masked.
        catalog: String,
    },
    /// A PostgreSQL lake or an S3 one needs to say where its data is.
    #[error(
        "the lake `{0}` has no `data_path`: a PostgreSQL catalog needs one (a folder or an `s3://` prefix)"
    )]
    DataPath(String),
    /// A database that no `[datatables.…]` section declares.
    #[error(
        "the database `{0}` is not declared; add `[datatables.{0}]` with a `url` to `lakemill.toml`"
    )]
    UnknownDatatable(String),
    /// A database that is no PostgreSQL.
    #[error(
        "the `url` of the database `{0}` is not PostgreSQL's: write `postgres://user@host/database`, or `env:NAME` where it has a password"
    )]
    Datatable(String),
    /// A default storage that is neither a folder nor a bucket.
    #[error("the storage root `{0}` is not supported: write a folder, or `s3://BUCKET/PREFIX`")]
    Storage(String),
    /// A secret refers to a variable that is not set.
    #[error(
        "the environment variable `{name}`, which `{setting}` refers to, is not set, or is not UTF-8"
    )]
    Variable {
        /// The setting.
        setting: String,
        /// The variable.
        name: String,
    },
    /// A secret refers to a variable without a name.
    #[error(
        "`{0}` names no environment variable: write `env:NAME`, with the variable's name behind the colon"
    )]
    NoVariable(String),
    /// A secret is written out in the file.
    #[error("`{0}` holds a password: write `env:NAME` and put it into that environment variable")]
    PlainSecret(String),
    /// A state store whose scheme is not known here.
    #[error(
        "the state store `{0}` is not supported: write `sqlite:FILE` or `postgres://user@host/database`, or `env:NAME` where it has a password"
    )]
    State(String),
    /// Folders that are allowed where all are.
    #[error(
        "`[engine] allowed_directories` counts only with `allow_local_files = false`: write that too, or leave it out"
    )]
    AllAllowed,
    /// A folder that does not exist.
    #[error("there is no folder `{0}`")]
    NoFolder(PathBuf),
    /// A file or folder could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl ConfigError {
    /// Whether it is about a file that could not be read or written, rather than about what the configuration says.
    #[must_use]
    pub const fn is_of_a_file(&self) -> bool {
        matches!(self, Self::File { .. })
    }
}

/// `lakemill.toml`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// `[lakes.NAME]`; when there are none, every name is a lake under `.lakemill/`.
    pub lakes: BTreeMap<String, LakeConfig>,
    /// `[datatables.NAME]`
    pub datatables: BTreeMap<String, DatatableConfig>,
    /// `[storage]`
    pub storage: StorageConfig,
    /// `[state]`
    pub state: StateConfig,
    /// `[run]`
    pub run: RunConfig,
    /// `[engine]`
    pub engine: EngineConfig,
}

/// `[lakes.NAME]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LakeConfig {
    /// `sqlite:FILE`, `duckdb:FILE`, `postgres:dbname=… host=…`, or `env:NAME`.
    pub catalog: String,
    /// Folder or `s3://` prefix of the data files; beside the catalog file when absent.
    pub data_path: Option<String>,
}

/// `[run]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunConfig {
    /// When data tests run: `commit-then-test` or `write-audit-publish`.
    pub publish: Publish,
    /// Who the commits are by; the system's user name when absent.
    pub author: Option<String>,
    /// How often a publish is tried before a conflict fails the run.
    pub publish_attempts: u32,
    /// How long a run of one script for one slice may take; without an end when absent.
    pub timeout: Option<Timeout>,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            publish: Publish::default(),
            author: None,
            publish_attempts: 10,
            timeout: None,
        }
    }
}

/// `[run] publish`
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Publish {
    /// A violation fails the run, the snapshot stays.
    #[default]
    CommitThenTest,
    /// A violation rolls back.
    WriteAuditPublish,
}

impl From<Publish> for PublishMode {
    fn from(publish: Publish) -> Self {
        match publish {
            Publish::CommitThenTest => Self::CommitThenTest,
            Publish::WriteAuditPublish => Self::WriteAuditPublish,
        }
    }
}

/// `[engine]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineConfig {
    /// Folder of the engine's extensions (`v1.5.5/linux_amd64/…` below it).
    pub extension_directory: Option<PathBuf>,
    /// `4GB`; the engine's default when absent.
    pub memory_limit: Option<String>,
    /// Folder for what does not fit into memory; `.lakemill/spill` when absent.
    pub temp_directory: Option<PathBuf>,
    /// The engine's default when absent.
    pub threads: Option<u32>,
    /// Whether scripts may read and write any file, attach any database, load extensions and change settings.
    pub allow_local_files: bool,
    /// Folders and `s3://` prefixes that scripts may use when they may not use all.
    pub allowed_directories: Vec<String>,
}

impl Default for EngineConfig {
    fn default() -> Self {
        Self {
            extension_directory: None,
            memory_limit: None,
            temp_directory: None,
            threads: None,
            allow_local_files: true,
            allowed_directories: Vec::new(),
        }
    }
}

impl Config {
    /// Reads `file` (when it exists) and the environment over the defaults.
    ///
    /// Variables are `LAKEMILL_` and the path with `__` between its parts: `LAKEMILL_RUN__PUBLISH`.
    ///
    /// # Errors
    /// [`ConfigError::Read`] with the key and the file it stands in, [`ConfigError::PlainSecret`],
    /// [`ConfigError::NoVariable`].
    pub fn read(file: &std::path::Path) -> Result<Self, ConfigError> {
        Figment::new()
            .merge(Toml::file(file))
            // Only variables that name a section; LAKEMILL_TOOLCHAIN… and the like belong to others.
            .merge(
                Env::prefixed("LAKEMILL_")
                    .filter(|key| key.as_str().contains("__"))
                    .split("__"),
            )
            .extract()
            .map_err(|error| ConfigError::Read(Box::new(error)))
            .and_then(|config: Self| {
                config.refuse_written_secrets()?;
                Ok(config)
            })
    }

    /// Whatever a command goes on to use: a password in the file is a mistake by itself.
    fn refuse_written_secrets(&self) -> Result<(), ConfigError> {
        let refuse = |setting: &str, text: Option<&String>, holds| {
            text.map_or(Ok(()), |text| secret::refuse_written(setting, text, holds))
        };
        for (name, lake) in &self.lakes {
            let setting = lakes::catalog_of(name);
            refuse(&setting, Some(&lake.catalog), Holds::Address)?;
        }
        for (name, datatable) in &self.datatables {
            let setting = datatables::url_of(name);
            refuse(&setting, Some(&datatable.url), Holds::Address)?;
        }
        refuse(state::URL, self.state.url.as_ref(), Holds::Address)?;
        let Some(s3) = &self.storage.s3 else {
            return Ok(());
        };
        for (setting, text, holds) in s3.texts() {
            refuse(setting, text, holds)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A project with this configuration, for as long as its folder is held.
    pub(super) fn project(toml: &str) -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("lakemill.toml"), toml).unwrap();
        let project = Project::open(Some(folder.path())).unwrap();
        (folder, project)
    }

    #[test]
    fn no_file_is_the_default() {
        let config = Config::read(std::path::Path::new("/nowhere/lakemill.toml")).unwrap();
        assert!(config.lakes.is_empty());
        assert_eq!(config.run.publish_attempts, 10);
    }

    /// Why a configuration is refused.
    pub(super) fn refused(toml: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("lakemill.toml"), toml).unwrap();
        let error = Project::open(Some(folder.path())).unwrap_err();
        error.to_string()
    }

    #[test]
    fn a_secret_in_the_file_is_refused_wherever_it_stands() {
        for (section, setting) in [
            ("[lakes.w]\ncatalog", "lakes.w.catalog"),
            ("[datatables.crm]\nurl", "datatables.crm.url"),
            ("[state]\nurl", "state.url"),
            ("[storage.s3]\nendpoint", "storage.s3.endpoint"),
            (
                "[storage.s3]\nsecret_access_key",
                "storage.s3.secret_access_key",
            ),
            ("[storage.s3]\nsession_token", "storage.s3.session_token"),
        ] {
            for text in [
                "postgres:host=h password = hunter2",
                "postgres://u:hunter2@h/d",
                "https://u:hunter2@h/d?password=x",
            ] {
                let error = refused(&format!("{section} = '{text}'\n"));
                assert!(
                    error.contains(&format!("`{setting}`")) && error.contains("`env:NAME`"),
                    "{error}"
                );
                assert!(!error.contains("hunter2"), "{error}");
            }
            for text in ["env:", "env: "] {
                let error = refused(&format!("{section} = '{text}'\n"));
                assert!(
                    error.contains(&format!("`{setting}` names no"))
                        && error.contains("`env:NAME`"),
                    "{error}"
                );
            }
        }
        project("[storage.s3]\naccess_key_id = 'a'\nregion = 'b'\nendpoint = 'http://h:1'\n");
    }

    #[test]
    fn an_unknown_key_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lakemill.toml");
        std::fs::write(&file, "[run]\npubish = 'commit-then-test'\n").unwrap();
        let error = Config::read(&file).unwrap_err().to_string();
        assert!(error.contains("pubish"), "{error}");
    }
}
