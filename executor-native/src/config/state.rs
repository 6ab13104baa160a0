//! Where runs are recorded.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{ConfigError, Project, Secret};

/// `[state]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct StateConfig {
    /// `sqlite:FILE`, `postgres://user@host/database`, or `env:NAME`; `.lakemill/state.sqlite` when absent.
    pub url: Option<String>,
    /// What the project is called in a store that it shares with other projects.
    pub workspace: String,
    /// How long a run is trusted without a sign of life, where nothing else tells whether its process lives.
    pub lease_seconds: u32,
}

impl Default for StateConfig {
    fn default() -> Self {
        Self {
            url: None,
            workspace: "main".to_owned(),
            lease_seconds: 30,
        }
    }
}

/// The project's records.
#[derive(Clone, Debug)]
pub struct StateSource {
    /// Where they are.
    pub store: Store,
    /// Which of the store's are the project's.
    pub workspace: String,
    /// See [`StateConfig::lease_seconds`].
    pub lease: Duration,
}

/// A state store.
#[derive(Clone, Debug)]
pub enum Store {
    /// A file.
    Sqlite(PathBuf),
    /// A server, by its address.
    Postgres(Secret),
}

/// How messages name the setting.
pub(super) const URL: &str = "state.url";

impl Project {
    /// Where the project's runs are recorded.
    ///
    /// # Errors
    /// [`ConfigError::State`] and what a secret may raise.
    pub fn state(&self) -> Result<StateSource, ConfigError> {
        let store = match self.config.state.url.as_deref() {
            None => Store::Sqlite(self.home().join("state.sqlite")),
            Some(url) => self.store(url)?,
        };
        Ok(StateSource {
            store,
            workspace: self.config.state.workspace.clone(),
            lease: Duration::from_secs(u64::from(self.config.state.lease_seconds.max(1))),
        })
    }

    fn store(&self, url: &str) -> Result<Store, ConfigError> {
        let resolved = Secret::resolve(URL, url)?;
        match resolved.expose().split_once(':') {
            Some(("sqlite", file)) if !file.is_empty() => Ok(Store::Sqlite(self.root.join(file))),
            Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => {
                Ok(Store::Postgres(resolved))
            }
            Some(_) | None => Err(ConfigError::State(super::mask(resolved.expose()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::project;
    use super::*;

    fn store(url: &str) -> Result<Store, String> {
        let (_folder, project) = project(&format!("[state]\nurl = \"{url}\"\n"));
        let source = project.state().map_err(|error| error.to_string())?;
        Ok(source.store)
    }

    #[test]
    fn the_default_is_a_file_of_the_project() {
        let (_folder, project) = project("");
        let source = project.state().unwrap();
        let Store::Sqlite(file) = source.store else {
            panic!("{source:?}")
        };
        assert!(file.ends_with(".lakemill/state.sqlite"));
        assert_eq!(source.workspace, "main");
    }

    #[test]
    fn an_address_names_a_file_or_a_server() {
        assert!(
            matches!(store("sqlite:a/b.db"), Ok(Store::Sqlite(file)) if file.ends_with("a/b.db"))
        );
        for url in ["postgres://u@h/d", "postgresql://h:5433/d?sslmode=require"] {
            assert!(matches!(store(url), Ok(Store::Postgres(secret)) if secret.expose() == url));
        }
        for url in ["mysql://h/d", "postgres:host=h", "sqlite:", "state.db"] {
            let error = store(url).unwrap_err();
            assert!(
                error.contains("postgres://") && error.contains(url),
                "{error}"
            );
        }
    }
}
