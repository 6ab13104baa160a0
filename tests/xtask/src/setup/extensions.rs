//! The engine's extensions: what is there, else DuckDB's own repository, else the Python packages that carry them.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Step;
use crate::checksum::{self, Verdict};
use crate::failure::Failure;
use crate::process::Program;
use crate::workspace::{Workspace, create_folder, place};

pub(super) const STEP: Step = Step {
    name: "engine extensions",
    is_done: |workspace| Set::main(workspace).is_there(),
    run: |workspace| Set::main(workspace).provide(),
    mend: "make DuckDB's extension repository or PyPI reachable, or copy the extensions of this engine version into .toolchain/extensions",
};

pub(super) const TEST_STEP: Step = Step {
    name: "engine extensions of the tests",
    is_done: |workspace| Set::test(workspace).is_there(),
    run: |workspace| Set::test(workspace).provide(),
    mend: "make PyPI reachable, or copy the extensions of this engine version into .toolchain/extensions",
};

/// How long lakemill may try to reach the repository.
const REPOSITORY_LIMIT: Duration = Duration::from_secs(120);

/// Extensions that are provided together.
struct Set<'a> {
    workspace: &'a Workspace,
    /// Extension name to Python package name.
    packages: &'a BTreeMap<String, String>,
    /// Whether lakemill loads them itself, and so can ask DuckDB's repository for them.
    is_lakemills: bool,
}

impl<'a> Set<'a> {
    fn main(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            packages: &workspace.versions.extensions.packages,
            is_lakemills: true,
        }
    }

    fn test(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            packages: &workspace.versions.extensions.test_packages,
            is_lakemills: false,
        }
    }

    fn is_there(&self) -> bool {
        self.missing().is_ok_and(|missing| missing.is_empty())
    }

    fn provide(&self) -> Result<String, Failure> {
        if self.link_from_cache()? {
            return Ok("from the cache".to_owned());
        }
        if self.is_lakemills {
            match self.install_from_repository() {
                Ok(()) => return Ok("from DuckDB's extension repository".to_owned()),
                Err(failure) => println!(
                    "setup  DuckDB's extension repository did not provide them, PyPI may: {}",
                    first_line(&failure)
                ),
            }
        }
        let checked = self.download_packages()?;
        self.link_from_cache()?;
        Ok(format!("from PyPI, {checked}"))
    }

    fn names(&self) -> impl Iterator<Item = &'a str> {
        self.packages.keys().map(String::as_str)
    }

    /// The extensions that the engine would miss: neither in the clone nor in the library.
    fn missing(&self) -> Result<Vec<&'a str>, Failure> {
        let folder = folder(self.workspace)?;
        let built_in = &self.workspace.versions.extensions.built_in;
        Ok(self
            .names()
            .filter(|name| !built_in.iter().any(|built_in| built_in == name))
            .filter(|name| !folder.join(file_name(name)).is_file())
            .collect())
    }

    /// Whether the cache had all that were missing.
    fn link_from_cache(&self) -> Result<bool, Failure> {
        self.link_from(&cache_folder(self.workspace)?)
    }

    /// Links the extensions of another folder into the clone; tells whether none is missing now.
    fn link_from(&self, source: &Path) -> Result<bool, Failure> {
        let folder = folder(self.workspace)?;
        for file in self.names().map(file_name) {
            if source.join(&file).is_file() && !folder.join(&file).is_file() {
                place(&source.join(&file), &folder.join(&file))?;
            }
        }
        Ok(self.missing()?.is_empty())
    }

    /// Has lakemill install them with the engine's own means, which check the signatures.
    fn install_from_repository(&self) -> Result<(), Failure> {
        let workspace = self.workspace;
        let program = ["release", "debug"]
            .map(|profile| workspace.lakemill(profile))
            .into_iter()
            .find(|program| program.is_file())
            .ok_or_else(|| Failure::new("lakemill, which would ask it, is not built yet"))?;
        Program::new(program)
            .args(["doctor", "--install-extensions"])
            .folder(&workspace.path(""))
            .quiet_within(REPOSITORY_LIMIT, &workspace.target("xtask-extensions.log"))?;
        // The engine's own place for what it installs.
        let home = env::home_dir().ok_or_else(|| Failure::new("no home folder is known"))?;
        if self.link_from(&home.join(".duckdb").join(workspace.extension_subfolder()?))? {
            return Ok(());
        }
        Err(Failure::new(format!(
            "not installed: {}",
            self.missing()?.join(", ")
        )))
    }

    /// Fills the cache from the Python packages; tells whether the checksums were compared.
    fn download_packages(&self) -> Result<&'static str, Failure> {
        let versions = &self.workspace.versions;
        let platform = versions.platform()?;
        let cache = cache_folder(self.workspace)?;
        // Two sets may be fetched at the same time.
        let scratch = self.workspace.cached(&format!(
            "wheels-{}-{}",
            if self.is_lakemills { "main" } else { "test" },
            std::process::id()
        ));
        create_folder(&scratch)?;

        let requirements: Vec<String> = self
            .packages
            .values()
            .map(|package| format!("{package}=={}", versions.extensions.package_version))
            .collect();
        Program::new("python3")
            .args([
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--only-binary",
                ":all:",
                "--platform",
                &platform.wheel,
            ])
            .arg("--dest")
            .arg(&scratch)
            .args(&requirements)
            .quiet()
            .map_err(|failure| {
                failure.mend(
                    "install Python 3 with pip (Debian: python3-pip), and make PyPI reachable",
                )
            })?;
        for wheel in files_in(&scratch)? {
            Program::new("python3")
                .args(["-m", "zipfile", "--extract"])
                .arg(&wheel)
                .arg(scratch.join("unpacked"))
                .quiet()?;
        }

        let mut verdict = "checksums verified";
        for name in self.names() {
            let unpacked = scratch
                .join(format!(
                    "unpacked/duckdb_extension_{name}/extensions/v{}",
                    versions.engine_version
                ))
                .join(file_name(name));
            let sum = platform.extension_sums.get(name).map(String::as_str);
            if let Verdict::Unknown(_) = checksum::verify(&unpacked, sum)? {
                verdict = "checksums NOT compared: none are known for this platform (the engine checks the signatures)";
            }
            place(&unpacked, &cache.join(file_name(name)))?;
        }
        fs::remove_dir_all(&scratch).map_err(|error| Failure::file("delete", &scratch, &error))?;
        Ok(verdict)
    }
}

fn first_line(failure: &Failure) -> String {
    failure
        .to_string()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned()
}

fn file_name(extension: &str) -> String {
    format!("{extension}.duckdb_extension")
}

/// Where the engine reads them.
fn folder(workspace: &Workspace) -> Result<PathBuf, Failure> {
    Ok(workspace
        .path(".toolchain")
        .join(workspace.extension_subfolder()?))
}

/// Where downloaded ones are kept for the next clone. Files get here complete and verified.
fn cache_folder(workspace: &Workspace) -> Result<PathBuf, Failure> {
    Ok(workspace.cached(&workspace.extension_subfolder()?))
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::file("list", folder, &error))?;
    entries
        .map(|entry| {
            entry
                .map(|entry| entry.path())
                .map_err(|error| Failure::file("list", folder, &error))
        })
        .collect()
}
