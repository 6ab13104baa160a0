//! What a script reaches beside its lakes' catalogs: databases, and S3.

use parser_core::Script;
use parser_core::plan::{self, Catalog, LakeSource, Lakes};

use super::extensions::Extension;
use super::{Engine, EngineError, question};
use crate::config::{ConfigError, Project, S3, Secret, is_on_s3};

/// How a session reaches what is outside. It is kept in secrets of the engine, so that plans, logs and errors cannot show it.
#[derive(Debug)]
pub struct Outside {
    /// Extensions for all of it and for the lakes.
    pub needs: Vec<Extension>,
    /// The name of each secret, and what it holds.
    databases: Vec<(String, Secret)>,
    s3: Option<S3>,
}

impl Outside {
    /// What `script` may reach.
    ///
    /// # Errors
    /// [`ConfigError`] of a secret that cannot be had.
    pub fn of(
        project: &Project,
        script: &Script,
        text: &str,
        lakes: &Lakes,
    ) -> Result<Self, ConfigError> {
        let on_s3 = |text: &str| {
            ["s3://", "s3a://", "s3n://"]
                .iter()
                .any(|scheme| text.contains(scheme))
        };
        let storage_is_s3 = project.storage_root()?.starts_with("s3://");
        let asks_s3 = on_s3(text) || lakes.sources().any(is_on_s3);
        let s3 = if asks_s3 { project.s3()? } else { None };
        let mut needs = Extension::for_lakes(lakes.sources());
        if s3.is_some() || (asks_s3 && storage_is_s3) {
            needs.push(Extension::Httpfs);
        }
        let mut databases = catalogs(project, lakes.iter())?;
        for name in plan::datatables(script) {
            databases.push((plan::secret_name(&name), project.datatable(&name)?));
            needs.push(Extension::Postgres);
        }
        needs.sort_unstable();
        needs.dedup();
        Ok(Self {
            needs,
            databases,
            s3,
        })
    }

    /// What looking at one lake needs.
    ///
    /// # Errors
    /// [`ConfigError`] of a secret that cannot be had.
    pub fn of_lake(project: &Project, name: &str, lake: &LakeSource) -> Result<Self, ConfigError> {
        Ok(Self {
            needs: Extension::for_lakes([lake]),
            databases: catalogs(project, [(name, lake)])?,
            s3: if is_on_s3(lake) { project.s3()? } else { None },
        })
    }

    /// What looking at one database needs.
    ///
    /// # Errors
    /// [`ConfigError`] of a secret that cannot be had.
    pub fn of_datatable(project: &Project, name: &str) -> Result<Self, ConfigError> {
        Ok(Self {
            needs: vec![Extension::Postgres],
            databases: vec![(plan::secret_name(name), project.datatable(name)?)],
            s3: None,
        })
    }

    /// Lets a session of the engine reach it.
    ///
    /// # Errors
    /// What the engine says.
    pub fn admit(&self, engine: &Engine) -> Result<(), EngineError> {
        for (name, connection) in &self.databases {
            engine.run(&question::keep_postgres(name, connection))?;
        }
        if let Some(s3) = &self.s3 {
            engine.run(&question::keep_s3(s3))?;
        }
        Ok(())
    }
}

/// The connections of the catalogs that are kept in a secret.
fn catalogs<'a, N: AsRef<str>>(
    project: &Project,
    lakes: impl IntoIterator<Item = (N, &'a LakeSource)>,
) -> Result<Vec<(String, Secret)>, ConfigError> {
    let mut found = Vec::new();
    for (name, lake) in lakes {
        if let Catalog::Postgres {
            secret: Some(secret),
            ..
        } = &lake.catalog
            && let Some(connection) = project.lake_connection(name.as_ref())?
        {
            found.push((secret.clone(), connection));
        }
    }
    Ok(found)
}
