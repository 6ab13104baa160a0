//! The engine's extensions: what is there, else DuckDB's own repository, else the Python packages that carry them.

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
    is_done: |workspace| missing(workspace).is_ok_and(|missing| missing.is_empty()),
    run,
    mend: "make DuckDB's extension repository or PyPI reachable, or copy the extensions of this engine version into .toolchain/extensions",
};

/// How long lakemill may try to reach the repository.
const REPOSITORY_LIMIT: Duration = Duration::from_secs(120);

fn run(workspace: &Workspace) -> Result<String, Failure> {
    if link_from_cache(workspace)? {
        return Ok("from the cache".to_owned());
    }
    match install_from_repository(workspace) {
        Ok(()) => return Ok("from DuckDB's extension repository".to_owned()),
        Err(failure) => println!(
            "setup  DuckDB's extension repository did not provide them, PyPI may: {}",
            first_line(&failure)
        ),
    }
    let checked = download_packages(workspace)?;
    link_from_cache(workspace)?;
    Ok(format!("from PyPI, {checked}"))
}

fn first_line(failure: &Failure) -> String {
    failure
        .to_string()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned()
}

fn names(workspace: &Workspace) -> impl Iterator<Item = &str> {
    workspace
        .versions
        .extensions
        .packages
        .keys()
        .map(String::as_str)
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

/// The extensions that the engine would miss: neither in the clone nor in the library.
fn missing(workspace: &Workspace) -> Result<Vec<&str>, Failure> {
    let folder = folder(workspace)?;
    let built_in = &workspace.versions.extensions.built_in;
    Ok(names(workspace)
        .filter(|name| !built_in.iter().any(|built_in| built_in == name))
        .filter(|name| !folder.join(file_name(name)).is_file())
        .collect())
}

/// Whether the cache had all that were missing.
fn link_from_cache(workspace: &Workspace) -> Result<bool, Failure> {
    link_from(workspace, &cache_folder(workspace)?)
}

/// Links the extensions of another folder into the clone; tells whether none is missing now.
fn link_from(workspace: &Workspace, source: &Path) -> Result<bool, Failure> {
    let folder = folder(workspace)?;
    for file in names(workspace).map(file_name) {
        if source.join(&file).is_file() && !folder.join(&file).is_file() {
            place(&source.join(&file), &folder.join(&file))?;
        }
    }
    Ok(missing(workspace)?.is_empty())
}

/// Has lakemill install them with the engine's own means, which check the signatures.
fn install_from_repository(workspace: &Workspace) -> Result<(), Failure> {
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
    if link_from(
        workspace,
        &home.join(".duckdb").join(workspace.extension_subfolder()?),
    )? {
        return Ok(());
    }
    Err(Failure::new(format!(
        "not installed: {}",
        missing(workspace)?.join(", ")
    )))
}

/// Fills the cache from the Python packages; tells whether the checksums were compared.
fn download_packages(workspace: &Workspace) -> Result<&'static str, Failure> {
    let versions = &workspace.versions;
    let platform = versions.platform()?;
    let cache = cache_folder(workspace)?;
    let scratch = workspace.cached(&format!("wheels-{}", std::process::id()));
    create_folder(&scratch)?;

    let requirements: Vec<String> = versions
        .extensions
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
            failure.mend("install Python 3 with pip (Debian: python3-pip), and make PyPI reachable")
        })?;
    for wheel in files_in(&scratch)? {
        Program::new("python3")
            .args(["-m", "zipfile", "--extract"])
            .arg(&wheel)
            .arg(scratch.join("unpacked"))
            .quiet()?;
    }

    let mut verdict = "checksums verified";
    for name in names(workspace) {
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
