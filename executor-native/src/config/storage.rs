//! The default storage, which `s3:///key` means, and how S3 is reached.

use std::path::Path;

use parser_core::plan::LakeSource;
use serde::{Deserialize, Serialize};

use super::secret::Holds;
use super::{ConfigError, Project, Secret};

/// `[storage]`
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct StorageConfig {
    /// A folder, or `s3://bucket/prefix`; `.lakemill/storage` when absent.
    pub root: Option<String>,
    /// `[storage.s3]`: for every `s3://` address, those of lakes included.
    pub s3: Option<S3Config>,
}

/// `[storage.s3]`. Each text may be `env:NAME`; those of secrets must be.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct S3Config {
    /// `https://host:port`; Amazon's when absent.
    pub endpoint: Option<String>,
    /// `eu-west-1`
    pub region: Option<String>,
    /// Who asks.
    pub access_key_id: Option<String>,
    /// `env:NAME`
    pub secret_access_key: Option<String>,
    /// `env:NAME`
    pub session_token: Option<String>,
    /// How a bucket is named; `path` when absent and an endpoint is given.
    pub url_style: Option<UrlStyle>,
}

impl S3Config {
    /// Its texts, by the names that messages give them.
    pub(super) const fn texts(&self) -> [(&'static str, Option<&String>, Holds); 5] {
        [
            (
                "storage.s3.endpoint",
                self.endpoint.as_ref(),
                Holds::Address,
            ),
            ("storage.s3.region", self.region.as_ref(), Holds::Address),
            (
                "storage.s3.access_key_id",
                self.access_key_id.as_ref(),
                Holds::Address,
            ),
            (
                "storage.s3.secret_access_key",
                self.secret_access_key.as_ref(),
                Holds::Secret,
            ),
            (
                "storage.s3.session_token",
                self.session_token.as_ref(),
                Holds::Secret,
            ),
        ]
    }
}

/// How the address of an object names its bucket.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum UrlStyle {
    /// `https://host/bucket/key`
    Path,
    /// `https://bucket.host/key`
    Vhost,
}

impl UrlStyle {
    /// The engine's word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Vhost => "vhost",
        }
    }
}

/// How S3 is reached.
#[derive(Clone, Debug)]
pub struct S3 {
    /// Options of the engine's secret by name.
    pub options: Vec<(&'static str, Secret)>,
    /// Whether the connection is encrypted.
    pub use_ssl: bool,
    /// The bucket of the default storage, `s3://bucket/`, when that is on S3.
    pub bucket: Option<String>,
}

impl Project {
    /// Where the keys of `s3:///key` are: a folder, or `s3://bucket/prefix`.
    ///
    /// # Errors
    /// [`ConfigError::Storage`] for an address of another kind.
    pub fn storage_root(&self) -> Result<String, ConfigError> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let Some(root) = &self.config.storage.root else {
            return Ok(text(&self.home().join("storage")));
        };
        match root.split_once("://") {
            None => Ok(text(&self.root.join(root))),
            Some(("s3", bucket)) if !bucket.starts_with('/') && !bucket.is_empty() => {
                Ok(root.clone())
            }
            Some(_) => Err(ConfigError::Storage(root.clone())),
        }
    }

    /// How S3 is reached; `None` when the configuration does not say.
    ///
    /// # Errors
    /// [`ConfigError::Variable`], [`ConfigError::Storage`].
    pub fn s3(&self) -> Result<Option<S3>, ConfigError> {
        let Some(config) = &self.config.storage.s3 else {
            return Ok(None);
        };
        let mut options = Vec::new();
        let mut use_ssl = true;
        let [endpoint, ..] = config.texts();
        if let (setting, Some(endpoint), _) = endpoint {
            let endpoint = Secret::resolve(setting, endpoint)?;
            let (scheme, host) = endpoint
                .expose()
                .split_once("://")
                .unwrap_or(("https", endpoint.expose()));
            use_ssl = scheme != "http";
            options.push(("ENDPOINT", Secret::plain(host.trim_end_matches('/'))));
        }
        let [_, others @ ..] = config.texts();
        let names = ["REGION", "KEY_ID", "SECRET", "SESSION_TOKEN"];
        for (option, (setting, value, _)) in names.into_iter().zip(others) {
            if let Some(value) = value {
                options.push((option, Secret::resolve(setting, value)?));
            }
        }
        let style = config
            .url_style
            .or(config.endpoint.as_ref().map(|_| UrlStyle::Path));
        if let Some(style) = style {
            options.push(("URL_STYLE", Secret::plain(style.as_str())));
        }
        let root = self.storage_root()?;
        let bucket = root.strip_prefix("s3://").map(|rest| {
            let bucket = rest.split('/').next().unwrap_or_default();
            format!("s3://{bucket}/")
        });
        Ok(Some(S3 {
            options,
            use_ssl,
            bucket,
        }))
    }
}

/// Whether a lake's data files are on S3.
#[must_use]
pub fn is_on_s3(lake: &LakeSource) -> bool {
    lake.data_path.starts_with("s3://")
}

#[cfg(test)]
mod tests {
    use super::super::tests::project;

    #[test]
    fn the_root_is_a_folder_of_the_project_or_a_bucket() {
        for (toml, end) in [
            ("", "/.lakemill/storage"),
            ("[storage]\nroot = 'files'", "/files"),
            ("[storage]\nroot = 's3://lake/raw'", "s3://lake/raw"),
        ] {
            let (_folder, project) = project(toml);
            let root = project.storage_root().unwrap();
            assert!(root.ends_with(end), "{root}");
        }
        for root in ["gcs://a/b", "s3:///a", "s3://"] {
            let (_folder, project) = project(&format!("[storage]\nroot = '{root}'"));
            let error = project.storage_root().unwrap_err().to_string();
            assert!(error.contains("s3://BUCKET"), "{error}");
        }
    }

    #[test]
    fn an_endpoint_says_how_it_is_reached() {
        let (_folder, project) = project(
            "[storage]\nroot = 's3://lake/raw'\n[storage.s3]\nendpoint = 'http://127.0.0.1:9000/'\n",
        );
        let s3 = project.s3().unwrap().unwrap();
        let options: Vec<_> = s3
            .options
            .iter()
            .map(|(name, value)| (*name, value.expose()))
            .collect();
        assert_eq!(
            options,
            [("ENDPOINT", "127.0.0.1:9000"), ("URL_STYLE", "path")]
        );
        assert!(!s3.use_ssl);
        assert_eq!(s3.bucket.as_deref(), Some("s3://lake/"));
    }
}
