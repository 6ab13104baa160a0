//! PostgreSQL: the interop tests start a server of their own from its programs.

use std::fs;

use super::{Step, debian};
use crate::failure::Failure;
use crate::process::find;
use crate::workspace::Workspace;

pub(super) const STEP: Step = Step {
    name: "PostgreSQL",
    is_done: |_| is_there(),
    run,
    mend: "install PostgreSQL's server programs (Homebrew: postgresql), with `initdb` in PATH",
};

/// Debian keeps the server's programs out of PATH, a folder for each version.
fn is_there() -> bool {
    find("initdb").is_some()
        || fs::read_dir("/usr/lib/postgresql").is_ok_and(|versions| {
            versions
                .filter_map(Result::ok)
                .any(|version| version.path().join("bin/initdb").is_file())
        })
}

fn run(_: &Workspace) -> Result<String, Failure> {
    if !debian::is_available() {
        return Err(Failure::new("no program `initdb` in PATH"));
    }
    debian::install(&["postgresql"])?;
    Ok("Debian's postgresql".to_owned())
}
