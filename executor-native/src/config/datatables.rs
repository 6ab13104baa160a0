//! Names of databases → how they are reached.

use serde::{Deserialize, Serialize};

use super::lakes::libpq;
use super::{ConfigError, Project, Secret};

/// `[datatables.NAME]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DatatableConfig {
    /// `env:NAME`, or a text without password: `postgres://user@host/database`, `postgres:host=… dbname=…`.
    pub url: String,
}

impl Project {
    /// How PostgreSQL reaches the database `name`: what libpq takes.
    ///
    /// # Errors
    /// [`ConfigError::UnknownDatatable`], [`ConfigError::Datatable`] and what a secret may raise.
    pub fn datatable(&self, name: &str) -> Result<Secret, ConfigError> {
        let mut declared = self.config.datatables.iter();
        let (name, config) = declared
            .find(|(declared, _)| declared.eq_ignore_ascii_case(name))
            .ok_or_else(|| ConfigError::UnknownDatatable(name.to_owned()))?;
        let resolved = Secret::resolve(&url_of(name), &config.url)?;
        match resolved.expose().split_once(':') {
            Some((scheme @ ("postgres" | "postgresql"), rest)) if !rest.trim().is_empty() => {
                Ok(Secret::plain(&libpq(scheme, rest)))
            }
            Some(_) | None => Err(ConfigError::Datatable(name.clone())),
        }
    }
}

/// How messages name the setting.
pub(super) fn url_of(datatable: &str) -> String {
    format!("datatables.{datatable}.url")
}

#[cfg(test)]
mod tests {
    use super::super::tests::project;
    use super::*;

    fn datatable(url: &str) -> Result<Secret, String> {
        let (_folder, project) = project(&format!("[datatables.crm]\nurl = \"{url}\"\n"));
        project.datatable("CRM").map_err(|error| error.to_string())
    }

    #[test]
    fn a_url_is_handed_to_libpq() {
        for (url, expected) in [
            ("postgres://u@h/d", "postgres://u@h/d"),
            ("postgresql://u@h/d", "postgresql://u@h/d"),
            ("postgres:host=h dbname=d", "host=h dbname=d"),
        ] {
            assert_eq!(datatable(url).unwrap().expose(), expected);
        }
    }

    #[test]
    fn another_database_is_refused() {
        for url in ["mysql://h/d", "postgres:", "h/d"] {
            let error = datatable(url).unwrap_err();
            assert!(error.contains("postgres://"), "{error}");
        }
    }
}
