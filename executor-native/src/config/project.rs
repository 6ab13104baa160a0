//! The project on disk: its root, its configuration, its scripts.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{Config, ConfigError, Timeout};
use crate::engine::spill;

/// A project: the folder with `lakemill.toml` or `pipelines/`.
#[derive(Clone, Debug)]
pub struct Project {
    /// Absolute.
    pub root: PathBuf,
    /// As read at start.
    pub config: Config,
}

/// A script of the project.
#[derive(Clone, Debug)]
pub struct ScriptFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its path as the user knows it: relative to the root when it lies below it, with `/`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Scripts that were looked for.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    /// Those that can be read.
    pub files: Vec<ScriptFile>,
    /// Those that cannot.
    pub unreadable: Vec<Unreadable>,
}

/// A script, or a folder, that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Its path, as a script's name.
    pub name: String,
    /// Why.
    pub reason: String,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} cannot be read: {}", self.name, self.reason)
    }
}

/// Why a file cannot be read, where the system does not say it plainly.
fn reason(path: &Path, error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::InvalidData => "it is not UTF-8; save it as that".to_owned(),
        ErrorKind::NotFound if path.is_symlink() => "it links to what is not there".to_owned(),
        _ => error.to_string(),
    }
}

fn is_script(entry: &walkdir::DirEntry) -> bool {
    let suffix = entry.path().extension();
    entry.file_type().is_file() && suffix.is_some_and(|suffix| suffix == "sql")
}

impl Project {
    /// Opens the project of `folder` (`-C`), or of the current folder.
    ///
    /// With `-C` the folder itself is the root. Otherwise the nearest folder upwards that holds `lakemill.toml`
    /// or `pipelines/` is, else the current one.
    ///
    /// # Errors
    /// [`ConfigError::NoFolder`], [`ConfigError::Read`].
    pub fn open(folder: Option<&Path>) -> Result<Self, ConfigError> {
        let current = std::env::current_dir().map_err(|source| ConfigError::File {
            path: PathBuf::from("."),
            source,
        })?;
        let root = match folder {
            Some(folder) => {
                let folder = current.join(folder);
                folder
                    .canonicalize()
                    .map_err(|_| ConfigError::NoFolder(folder))?
            }
            None => current
                .ancestors()
                .find(|folder| {
                    folder.join("lakemill.toml").is_file() || folder.join("pipelines").is_dir()
                })
                .unwrap_or(&current)
                .to_path_buf(),
        };
        let config = Config::read(&root.join("lakemill.toml"))?;
        Ok(Self { root, config })
    }

    /// `.lakemill/`: lakes, state, locks.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.root.join(".lakemill")
    }

    /// Makes `.lakemill/` and keeps it out of version control.
    ///
    /// # Errors
    /// [`ConfigError::File`]
    pub fn ensure_home(&self) -> Result<PathBuf, ConfigError> {
        let home = self.home();
        let fail = |path: &Path| {
            let path = path.to_path_buf();
            move |source| ConfigError::File { path, source }
        };
        std::fs::create_dir_all(&home).map_err(fail(&home))?;
        let ignore = home.join(".gitignore");
        if !ignore.exists() {
            std::fs::write(&ignore, "*\n").map_err(fail(&ignore))?;
        }
        Ok(home)
    }

    /// Another time-out than the configured one, if one is given.
    pub fn set_timeout(&mut self, timeout: Option<&Timeout>) {
        if let Some(timeout) = timeout {
            self.config.run.timeout = Some(timeout.clone());
        }
    }

    /// The folder in which engines have folders for what does not fit into memory.
    #[must_use]
    pub fn spill_folder(&self) -> PathBuf {
        spill::folder(&self.config.engine, &self.root)
    }

    /// Makes that folder, and removes in it what processes left that were killed.
    ///
    /// # Errors
    /// [`ConfigError::File`]
    pub fn tidy_spill_folder(&self) -> Result<(), ConfigError> {
        let path = self.spill_folder();
        spill::tidy(&path).map_err(|source| ConfigError::File { path, source })
    }

    /// Scripts under `pipelines/`, in order of path.
    #[must_use]
    pub fn scripts(&self) -> Scripts {
        let mut scripts = Scripts::default();
        let pipelines = self.root.join("pipelines");
        if pipelines.is_dir() {
            self.scripts_in(&pipelines, &mut scripts);
        }
        scripts
    }

    /// The scripts that `paths` name: files, or folders to search for `*.sql`. None means `pipelines/`.
    ///
    /// A path is looked up from the current folder, then from the root, then as a name below `pipelines/`,
    /// with or without `.sql`.
    ///
    /// # Errors
    /// [`ConfigError::File`] for a path that is not there, or a file that is named itself and cannot be read.
    pub fn select(&self, paths: &[PathBuf]) -> Result<Scripts, ConfigError> {
        if paths.is_empty() {
            return Ok(self.scripts());
        }
        let mut scripts = Scripts::default();
        for path in paths {
            let found = self.find(path);
            match found {
                Some(found) if found.is_dir() => self.scripts_in(&found, &mut scripts),
                Some(found) => scripts.files.push(self.read(&found)?),
                None => {
                    return Err(ConfigError::File {
                        path: path.clone(),
                        source: std::io::Error::new(
                            ErrorKind::NotFound,
                            "no such script or folder",
                        ),
                    });
                }
            }
        }
        scripts.files.dedup_by(|a, b| a.path == b.path);
        Ok(scripts)
    }

    /// The script that a data test names: below `pipelines/`, with or without `.sql`.
    ///
    /// # Errors
    /// [`ConfigError::File`] for one that is not there.
    pub fn test_script(&self, path: &str) -> Result<ScriptFile, ConfigError> {
        let pipelines = self.root.join("pipelines");
        let refused = |kind, why: &str| ConfigError::File {
            path: pipelines.join(path),
            source: std::io::Error::new(kind, why),
        };
        let found = [pipelines.join(path), pipelines.join(format!("{path}.sql"))]
            .into_iter()
            .find(|candidate| candidate.is_file())
            .ok_or_else(|| refused(ErrorKind::NotFound, "there is no such test script"))?;
        let is_inside = match (found.canonicalize(), pipelines.canonicalize()) {
            (Ok(found), Ok(pipelines)) => found.starts_with(pipelines),
            (Ok(_) | Err(_), _) => false,
        };
        if !is_inside {
            let why = "a test script stands below `pipelines/`";
            return Err(refused(ErrorKind::InvalidInput, why));
        }
        self.read(&found)
    }

    fn find(&self, path: &Path) -> Option<PathBuf> {
        let mut with_suffix = path.as_os_str().to_owned();
        with_suffix.push(".sql");
        [path, Path::new(&with_suffix)]
            .into_iter()
            .flat_map(|path| {
                [
                    PathBuf::from(path),
                    self.root.join(path),
                    self.root.join("pipelines").join(path),
                ]
            })
            .find(|candidate| candidate.exists())
            .and_then(|found| found.canonicalize().ok())
    }

    /// Adds the scripts below a folder. What cannot be read is no reason to leave out the others.
    fn scripts_in(&self, folder: &Path, scripts: &mut Scripts) {
        let entries = walkdir::WalkDir::new(folder)
            .follow_links(true)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| {
                entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
            });
        for entry in entries {
            let (path, read) = match entry {
                Ok(entry) if is_script(&entry) => {
                    (entry.path().to_path_buf(), self.file(entry.path()))
                }
                Ok(_) => continue,
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_path_buf();
                    let cause = error.into_io_error();
                    let source = cause.unwrap_or_else(|| {
                        std::io::Error::other("it links to a folder that it is in")
                    });
                    (path, Err(source))
                }
            };
            match read {
                Ok(file) => scripts.files.push(file),
                Err(source) => scripts.unreadable.push(Unreadable {
                    name: self.name_of(&path),
                    reason: reason(&path, &source),
                }),
            }
        }
    }

    /// Reads one script.
    ///
    /// # Errors
    /// [`ConfigError::File`]
    pub fn read(&self, path: &Path) -> Result<ScriptFile, ConfigError> {
        self.file(path).map_err(|source| ConfigError::File {
            path: path.to_path_buf(),
            source: match source.kind() {
                ErrorKind::InvalidData => std::io::Error::new(source.kind(), reason(path, &source)),
                _ => source,
            },
        })
    }

    fn file(&self, path: &Path) -> std::io::Result<ScriptFile> {
        Ok(ScriptFile {
            path: path.to_path_buf(),
            name: self.name_of(path),
            text: std::fs::read_to_string(path)?,
        })
    }

    fn name_of(&self, path: &Path) -> String {
        let relative = path.strip_prefix(&self.root).unwrap_or(path);
        relative
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect::<Vec<_>>()
            .join("/")
            .replace("//", "/")
    }
}
