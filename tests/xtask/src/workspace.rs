//! Where things lie: the clone, and the cache that all clones on a machine share.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::process::Program;
use crate::versions::Versions;

/// The clone that this runs in.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    cache: PathBuf,
    pub(crate) versions: Versions,
}

impl Workspace {
    /// Finds the clone from this crate's place in it, and the cache from `LAKEMILL_CACHE` or the home folder.
    ///
    /// # Errors
    /// When there is no home folder, or the version table cannot be read.
    pub(crate) fn locate() -> Result<Self, Failure> {
        // Cargo says it when it runs this, too: two clones may share a folder of built programs.
        let crate_folder = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = crate_folder
            .ancestors()
            .nth(2)
            .ok_or_else(|| Failure::new("tests/xtask lies outside of a workspace"))?;
        let cache = match env::var_os("LAKEMILL_CACHE") {
            Some(folder) => PathBuf::from(folder),
            None => env::home_dir()
                .ok_or_else(|| {
                    Failure::new("no home folder is known")
                        .mend("set LAKEMILL_CACHE to a folder for downloaded tools")
                })?
                .join(".cache/lakemill"),
        };
        let versions = Versions::read(&root.join("tests/xtask/versions.toml"))?;
        Ok(Self {
            root: root.to_path_buf(),
            cache,
            versions,
        })
    }

    /// A path in the clone.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// A path in the build folder, which need not lie in the clone.
    pub(crate) fn target(&self, relative: &str) -> PathBuf {
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.path("target"), PathBuf::from);
        self.root.join(target).join(relative)
    }

    /// A path in the cache.
    pub(crate) fn cached(&self, relative: &str) -> PathBuf {
        self.cache.join(relative)
    }

    /// The folder that the linker and the binary find the engine library in.
    pub(crate) fn library_folder(&self) -> PathBuf {
        self.path(".toolchain/duckdb")
    }

    /// Where the engine looks for its extensions, below `.toolchain/extensions` and in the cache alike.
    ///
    /// # Errors
    /// When the platform is not in the version table.
    pub(crate) fn extension_subfolder(&self) -> Result<String, Failure> {
        Ok(format!(
            "extensions/v{}/{}",
            self.versions.engine_version,
            self.versions.platform()?.duckdb
        ))
    }

    /// The built `lakemill`, of the `release` or the `debug` profile.
    pub(crate) fn lakemill(&self, profile: &str) -> PathBuf {
        self.target(&format!("{profile}/lakemill{}", env::consts::EXE_SUFFIX))
    }

    /// A cargo command in the clone.
    pub(crate) fn cargo(&self, subcommand: &str) -> Program {
        Program::new("cargo").arg(subcommand).folder(&self.root)
    }
}

/// Creates a folder with its parents.
///
/// # Errors
/// When that is not possible.
pub(crate) fn create_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))
}

/// Whether a file is there and no older than another one.
pub(crate) fn is_newer(path: &Path, than: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
    match (modified(path), modified(than)) {
        (Ok(path), Ok(than)) => path >= than,
        _ => false,
    }
}

/// Puts `source` at `destination` in one step, so that a program which has the old file open keeps it: as a second name of
/// the same file where the file system allows, else as a copy.
///
/// # Errors
/// When neither is possible.
pub(crate) fn place(source: &Path, destination: &Path) -> Result<(), Failure> {
    if let Some(folder) = destination.parent() {
        create_folder(folder)?;
    }
    let fresh = destination.with_extension(format!("new-{}", std::process::id()));
    if fs::hard_link(source, &fresh).is_err() {
        fs::copy(source, &fresh).map_err(|error| Failure::file("write", &fresh, &error))?;
    }
    fs::rename(&fresh, destination).map_err(|error| Failure::file("write", destination, &error))?;
    // Renaming one name of a file to another name of the same file does nothing, and leaves the first.
    if fresh.exists() {
        fs::remove_file(&fresh).map_err(|error| Failure::file("delete", &fresh, &error))?;
    }
    Ok(())
}
