//! A C++ compiler: libFuzzer is compiled with it.

use std::env;

use super::{Step, debian};
use crate::failure::Failure;
use crate::process::find;
use crate::workspace::Workspace;

pub(super) const STEP: Step = Step {
    name: "C++ compiler",
    is_done: |_| env::var_os("CXX").is_some() || find("c++").is_some(),
    run,
    mend: "install a C++ compiler, or name one in CXX",
};

fn run(_: &Workspace) -> Result<String, Failure> {
    if !debian::is_available() {
        return Err(Failure::new("no program `c++` in PATH"));
    }
    debian::install(&["g++"])?;
    Ok("Debian's g++".to_owned())
}
