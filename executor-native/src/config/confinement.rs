//! Which files scripts may use, where they may not use all.

use std::path::Path;

use parser_core::plan::Lakes;

use super::{ConfigError, Project};

impl Project {
    /// The folders and `s3://` prefixes that a script over these lakes may use; `None` when it may use all.
    ///
    /// # Errors
    /// [`ConfigError::AllAllowed`], [`ConfigError::Storage`].
    pub fn allowed_directories(&self, lakes: &Lakes) -> Result<Option<Vec<String>>, ConfigError> {
        let config = &self.config.engine;
        if config.allow_local_files {
            return if config.allowed_directories.is_empty() {
                Ok(None)
            } else {
                Err(ConfigError::AllAllowed)
            };
        }
        let mut folders = Vec::new();
        for folder in &config.allowed_directories {
            if folder.contains("://") {
                folders.push(folder.clone());
                continue;
            }
            let place = self.root.join(folder);
            // The engine compares paths as they are written, and looks for them below the current folder first.
            let here = std::env::current_dir().map(|current| current.join(folder));
            let is_same = here.is_ok_and(|here| here == place || !here.exists());
            if is_same && Path::new(folder).is_relative() {
                folders.push(folder.clone());
            }
            folders.push(place.to_string_lossy().into_owned());
        }
        folders.push(self.storage_root()?);
        folders.extend(lakes.sources().map(|lake| lake.data_path.clone()));
        for folder in &mut folders {
            folder.truncate(folder.trim_end_matches('/').len());
            folder.push('/');
        }
        Ok(Some(folders))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::project;
    use super::*;

    #[test]
    fn folders_count_only_where_not_all_are_allowed() {
        let (_folder, all) = project("");
        assert_eq!(all.allowed_directories(&Lakes::default()).unwrap(), None);
        let (_folder, wrong) = project("[engine]\nallowed_directories = ['raw']\n");
        let error = wrong.allowed_directories(&Lakes::default()).unwrap_err();
        assert!(error.to_string().contains("allow_local_files = false"));
        let (folder, some) = project(
            "[engine]\nallow_local_files = false\nallowed_directories = ['raw', 's3://b/x/']\n[storage]\nroot = 's3://b'\n",
        );
        let raw = folder.path().canonicalize().unwrap().join("raw/");
        assert_eq!(
            some.allowed_directories(&Lakes::default())
                .unwrap()
                .unwrap(),
            ["raw/", raw.to_str().unwrap(), "s3://b/x/", "s3://b/"]
        );
    }
}
