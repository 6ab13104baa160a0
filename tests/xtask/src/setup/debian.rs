//! Debian's packages, where the machine has apt.

use std::sync::{Mutex, PoisonError};

use crate::failure::Failure;
use crate::process::{Program, find};

/// apt serves one at a time, and lets the others fail.
static APT: Mutex<()> = Mutex::new(());

/// Whether packages can be installed this way at all.
pub(super) fn is_available() -> bool {
    find("apt-get").is_some()
}

/// Installs packages, as root or through sudo without a password.
///
/// # Errors
/// When neither is possible, with the command to type, or when apt fails.
pub(super) fn install(packages: &[&str]) -> Result<(), Failure> {
    let by_hand = format!(
        "run `sudo apt-get update && sudo apt-get install {}`",
        packages.join(" ")
    );
    let _turn = APT.lock().unwrap_or_else(PoisonError::into_inner);
    apt_get(&["update"]).map_err(|failure| failure.mend(&by_hand))?;
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    arguments.extend(packages);
    apt_get(&arguments).map_err(|failure| failure.mend(&by_hand))
}

fn apt_get(arguments: &[&str]) -> Result<(), Failure> {
    let program = if is_root() {
        Program::new("apt-get")
    } else {
        Program::new("sudo").args(["--non-interactive", "apt-get"])
    };
    program
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .quiet()
}

fn is_root() -> bool {
    Program::new("id")
        .arg("-u")
        .capture()
        .is_ok_and(|id| id.trim() == "0")
}
