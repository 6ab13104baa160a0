//! npm packages that are used as they are, each version in a folder of its own in the cache.

use std::fs;
use std::path::PathBuf;

use super::Step;
use crate::failure::Failure;
use crate::process::Program;
use crate::workspace::{Workspace, create_folder};

pub(super) const BINARYEN: Step = Step {
    name: "wasm-opt (binaryen)",
    is_done: |workspace| {
        installed(workspace, "binaryen", &workspace.versions.tools.binaryen).is_some()
    },
    run: |workspace| install_and_report(workspace, "binaryen", &workspace.versions.tools.binaryen),
    mend: "make the npm registry reachable",
};

/// The folder with the `wasm-opt` of [`BINARYEN`].
pub(crate) fn wasm_opt_folder(workspace: &Workspace) -> PathBuf {
    prefix(workspace, "binaryen", &workspace.versions.tools.binaryen).join("node_modules/.bin")
}

/// Installs one package, unless it is in the cache, and returns its folder.
///
/// # Errors
/// When npm fails.
pub(super) fn install_package(
    workspace: &Workspace,
    package: &str,
    version: &str,
) -> Result<PathBuf, Failure> {
    if let Some(folder) = installed(workspace, package, version) {
        return Ok(folder);
    }
    let prefix = prefix(workspace, package, version);
    create_folder(&prefix)?;
    // Without a manifest of its own, npm would look for one in the folders above.
    let manifest = prefix.join("package.json");
    fs::write(&manifest, "{ \"private\": true }\n")
        .map_err(|error| Failure::file("write", &manifest, &error))?;
    Program::npm(&prefix)
        .args([
            "install",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--save-exact",
        ])
        .arg(format!("{package}@{version}"))
        .quiet()?;
    installed(workspace, package, version).ok_or_else(|| {
        Failure::new(format!(
            "npm installed {package}@{version}, but it is not in {}",
            prefix.display()
        ))
    })
}

fn install_and_report(
    workspace: &Workspace,
    package: &str,
    version: &str,
) -> Result<String, Failure> {
    install_package(workspace, package, version)?;
    Ok(format!("{package}@{version} from npm"))
}

fn prefix(workspace: &Workspace, package: &str, version: &str) -> PathBuf {
    workspace.cached(&format!(
        "npm/{}-{version}",
        package.trim_start_matches('@').replace('/', "-")
    ))
}

/// The package's folder, once npm has ended well: it writes its lock file last.
fn installed(workspace: &Workspace, package: &str, version: &str) -> Option<PathBuf> {
    let prefix = prefix(workspace, package, version);
    let folder = prefix.join("node_modules").join(package);
    (prefix.join("package-lock.json").is_file() && folder.join("package.json").is_file())
        .then_some(folder)
}
