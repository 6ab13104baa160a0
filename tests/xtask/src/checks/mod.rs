//! What a change has to pass, in the order of the pipeline: cheap before dear, native before wasm.

mod fuzzing;
mod parity;
mod published;
mod rust;
mod snapshots;
mod website;

use std::panic;
use std::thread::{self, ScopedJoinHandle};
use std::time::Instant;

pub(crate) use snapshots::files_below;

use crate::failure::Failure;
use crate::npm_package;
use crate::workspace::Workspace;

/// One check. A new one is an entry in [`ALL`].
#[derive(Debug)]
pub(crate) struct Check {
    /// What it looks at.
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Workspace) -> Result<(), Failure>,
    /// The check with which it begins, when it is slow and leaves a core to others.
    beside: Option<&'static str>,
}

impl Check {
    pub(crate) const fn new(
        name: &'static str,
        run: fn(&Workspace) -> Result<(), Failure>,
    ) -> Self {
        Self {
            name,
            run,
            beside: None,
        }
    }

    const fn beside(mut self, other: &'static str) -> Self {
        self.beside = Some(other);
        self
    }
}

pub(crate) const ALL: &[Check] = &[
    Check::new("format", rust::format),
    Check::new("clippy", rust::clippy),
    Check::new("clippy for wasm32", rust::clippy_wasm),
    Check::new("tests", rust::tests),
    Check::new("doctests", rust::doctests),
    Check::new("snapshots that no case refers to", snapshots::unreferenced),
    Check::new("npm package", npm_package::build),
    Check::new("npm package, installed", npm_package::install_packed),
    Check::new("corpus through wasm in Node", parity::node),
    Check::new("size of the wasm module", published::size),
    Check::new(
        "npm package as a stranger uses it",
        published::as_a_stranger,
    ),
    Check::new("page: types and components", website::sources),
    Check::new("page: build", website::build),
    Check::new("corpus through wasm in the browser", parity::browser),
    Check::new("page in the browser", website::page),
    Check::new(
        "licences, duplicates and sources of dependencies",
        rust::dependencies,
    ),
    Check::new("documentation", rust::documentation),
    // Last, since it takes longer than all that it runs beside.
    Check::new("fuzz targets", fuzzing::targets).beside("npm package"),
];

pub(crate) const QUICK: &[Check] = &[
    Check::new("format", rust::format),
    Check::new("clippy", rust::clippy),
    Check::new("tests of the core and the corpus", rust::tests_of_core),
];

/// Runs checks one after the other, with a line before each and the time after it. One that runs beside others begins with the
/// first of these that is chosen, and ends at its own place.
///
/// # Errors
/// At the first check that fails.
pub(crate) fn run(workspace: &Workspace, checks: &[&Check]) -> Result<(), Failure> {
    thread::scope(|scope| {
        let mut running: Vec<(&str, ScopedJoinHandle<'_, Timed>)> = Vec::new();
        for (index, check) in checks.iter().enumerate() {
            for later in &checks[index..] {
                if later.beside == Some(check.name) {
                    running.push((later.name, scope.spawn(|| timed(workspace, later))));
                }
            }
            println!("check  {}/{} {}", index + 1, checks.len(), check.name);
            let begun = running.iter().position(|(name, _)| *name == check.name);
            let (ended, seconds) = match begun {
                Some(at) => running
                    .swap_remove(at)
                    .1
                    .join()
                    .unwrap_or_else(|cause| panic::resume_unwind(cause)),
                None => timed(workspace, check),
            };
            ended.map_err(|failure| failure.during(check.name))?;
            println!(
                "check  {}/{} {}: passed ({seconds:.1} s)",
                index + 1,
                checks.len(),
                check.name,
            );
        }
        Ok(())
    })
}

/// How a check ended, and after how many seconds.
type Timed = (Result<(), Failure>, f64);

fn timed(workspace: &Workspace, check: &Check) -> Timed {
    let start = Instant::now();
    ((check.run)(workspace), start.elapsed().as_secs_f64())
}
