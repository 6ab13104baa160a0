//! Lake names → catalogs and data folders.

use std::collections::BTreeMap;
use std::path::Path;

use parser_core::plan::{Catalog, LakeSource, Lakes};

use super::{Config, ConfigError, LakeConfig, Project, Secret};

impl Project {
    /// Where the lake `name` is.
    ///
    /// Without any `[lakes.…]` section each name is a lake of its own under `.lakemill/`; with one,
    /// a name that is not declared is an error rather than a surprising empty lake.
    ///
    /// # Errors
    /// [`ConfigError::UnknownLake`], [`ConfigError::Catalog`] and what a secret may raise.
    pub fn lake(&self, name: &str) -> Result<LakeSource, ConfigError> {
        match lookup(&self.config, name) {
            Some((declared, lake)) => self.declared(declared, lake),
            None if self.config.lakes.is_empty() => self.embedded(name),
            None => Err(ConfigError::UnknownLake {
                name: name.to_owned(),
                declared: list(&self.config.lakes),
            }),
        }
    }

    /// Lakes by the given names.
    ///
    /// # Errors
    /// As [`Project::lake`], for the first that has no source.
    pub fn lakes<'a>(
        &self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Lakes, ConfigError> {
        names
            .into_iter()
            .map(|name| Ok((name.to_owned(), self.lake(name)?)))
            .collect()
    }

    /// How the PostgreSQL catalog of the lake `name` is reached, where its source says that a secret tells.
    ///
    /// # Errors
    /// As [`Project::lake`].
    pub fn lake_connection(&self, name: &str) -> Result<Option<Secret>, ConfigError> {
        let Some((name, lake)) = lookup(&self.config, name) else {
            return Ok(None);
        };
        let resolved = Secret::resolve(&catalog_of(name), &lake.catalog)?;
        Ok(match resolved.expose().split_once(':') {
            Some((scheme @ ("postgres" | "postgresql"), rest)) => {
                Some(Secret::plain(&libpq(scheme, rest)))
            }
            Some(_) | None => None,
        })
    }

    fn embedded(&self, name: &str) -> Result<LakeSource, ConfigError> {
        // DuckLake names compare without case, file names may not: one spelling on disk.
        let file = name.to_lowercase();
        let safe = !file.is_empty()
            && file.len() <= 100
            && !file.starts_with('.')
            && file
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' '));
        if !safe {
            return Err(ConfigError::LakeName(name.to_owned()));
        }
        let home = self.home();
        Ok(LakeSource {
            catalog: Catalog::Sqlite(text(&home.join("lakes").join(format!("{file}.sqlite")))),
            data_path: format!("{}/", text(&home.join("data").join(file))),
        })
    }

    fn declared(&self, name: &str, lake: &LakeConfig) -> Result<LakeSource, ConfigError> {
        let resolved = Secret::resolve(&catalog_of(name), &lake.catalog)?;
        let from_environment = lake.catalog.starts_with("env:");
        let data_path = lake.data_path.as_deref().map(|path| {
            if path.contains("://") {
                path.to_owned()
            } else {
                format!("{}/", text(&self.root.join(path)).trim_end_matches('/'))
            }
        });
        let (scheme, rest) = resolved
            .expose()
            .split_once(':')
            .ok_or_else(|| wrong_catalog(name, lake, from_environment))?;
        let catalog = match scheme {
            "sqlite" => Catalog::Sqlite(text(&self.root.join(rest))),
            "duckdb" => Catalog::DuckDb(text(&self.root.join(rest))),
            "postgres" | "postgresql" => {
                // What the environment says stays in a secret of the engine: statements do not show it.
                if from_environment {
                    Catalog::Postgres {
                        dsn: String::new(),
                        secret: Some(format!("_wm_lake_{}", name.to_ascii_lowercase())),
                    }
                } else {
                    Catalog::Postgres {
                        dsn: libpq(scheme, rest),
                        secret: None,
                    }
                }
            }
            _ => return Err(wrong_catalog(name, lake, from_environment)),
        };
        let data_path = match (&catalog, data_path) {
            (_, Some(path)) => path,
            (Catalog::Sqlite(file) | Catalog::DuckDb(file), None) => format!("{file}.files/"),
            (Catalog::Postgres { .. }, None) => return Err(ConfigError::DataPath(name.to_owned())),
        };
        Ok(LakeSource { catalog, data_path })
    }
}

/// How messages name the setting.
pub(super) fn catalog_of(lake: &str) -> String {
    format!("lakes.{lake}.catalog")
}

/// What libpq takes: `postgres://…`, or what stands behind `postgres:`.
pub(super) fn libpq(scheme: &str, rest: &str) -> String {
    if rest.starts_with("//") {
        format!("{scheme}:{rest}")
    } else {
        rest.to_owned()
    }
}

fn lookup<'a>(config: &'a Config, name: &str) -> Option<(&'a str, &'a LakeConfig)> {
    config
        .lakes
        .iter()
        .find(|(declared, _)| declared.eq_ignore_ascii_case(name))
        .map(|(declared, lake)| (declared.as_str(), lake))
}

fn wrong_catalog(name: &str, lake: &LakeConfig, from_environment: bool) -> ConfigError {
    ConfigError::Catalog {
        lake: name.to_owned(),
        catalog: if from_environment {
            "****".to_owned()
        } else {
            super::mask(&lake.catalog)
        },
    }
}

fn list(lakes: &BTreeMap<String, LakeConfig>) -> String {
    let names: Vec<String> = lakes.keys().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::tests::project;
    use super::*;

    #[test]
    fn without_a_section_every_name_is_embedded() {
        let (_folder, project) = project("");
        let lake = project.lake("Shop").unwrap();
        let Catalog::Sqlite(file) = &lake.catalog else {
            panic!("{lake:?}")
        };
        assert!(file.ends_with(".lakemill/lakes/shop.sqlite"), "{file}");
        assert!(lake.data_path.ends_with(".lakemill/data/shop/"));
        assert!(project.lake("../etc").is_err());
    }

    #[test]
    fn an_undeclared_lake_is_an_error_once_lakes_are_declared() {
        let (_folder, project) = project("[lakes.shop]\ncatalog = 'sqlite:shop.sqlite'\n");
        assert!(project.lake("SHOP").is_ok());
        let error = project.lake("shpo").unwrap_err().to_string();
        assert!(
            error.contains("`shop`") && error.contains("[lakes.shpo]"),
            "{error}"
        );
    }
}
