//! DuckDB's shared library, prebuilt, from DuckDB's own npm package.

use std::fs;

use super::Step;
use super::node_tool::install_package;
use crate::checksum::{self, Verdict};
use crate::failure::Failure;
use crate::workspace::{Workspace, place};

pub(super) const STEP: Step = Step {
    name: "engine library",
    is_done,
    run,
    mend: "make the npm registry reachable, or put the library of this engine version into a folder of your own and set DUCKDB_LIB_DIR",
};

/// Names the package version of the library that lies beside it.
const STAMP: &str = "VERSION";

fn is_done(workspace: &Workspace) -> bool {
    let folder = workspace.library_folder();
    let Ok(platform) = workspace.versions.platform() else {
        return false;
    };
    folder.join(&platform.file).is_file()
        && fs::read_to_string(folder.join(STAMP))
            .is_ok_and(|stamp| stamp == workspace.versions.library.package_version)
}

fn run(workspace: &Workspace) -> Result<String, Failure> {
    let platform = workspace.versions.platform()?;
    let version = &workspace.versions.library.package_version;
    let library = install_package(workspace, &platform.package, version)?.join(&platform.file);
    let checked = match checksum::verify(&library, platform.sha256.as_deref())? {
        Verdict::Verified => "checksum verified".to_owned(),
        Verdict::Unknown(sum) => {
            format!("NOT verified: no checksum is known for this platform, its own is {sum}")
        }
    };

    let folder = workspace.library_folder();
    place(&library, &folder.join(&platform.file))?;
    let stamp = folder.join(STAMP);
    fs::write(&stamp, version).map_err(|error| Failure::file("write", &stamp, &error))?;
    Ok(format!(
        "{} from {}@{version}, {checked}",
        platform.file, platform.package
    ))
}
