//! What a change has to pass, in the order of the pipeline: cheap before dear, native before wasm.

mod fuzzing;
mod parity;
mod published;
mod rust;
mod snapshots;
mod website;

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
}

pub(crate) const ALL: &[Check] = &[
    Check {
        name: "format",
        run: rust::format,
    },
    Check {
        name: "clippy",
        run: rust::clippy,
    },
    Check {
        name: "clippy for wasm32",
        run: rust::clippy_wasm,
    },
    Check {
        name: "tests",
        run: rust::tests,
    },
    Check {
        name: "doctests",
        run: rust::doctests,
    },
    Check {
        name: "snapshots that no case refers to",
        run: snapshots::unreferenced,
    },
    Check {
        name: "npm package",
        run: npm_package::build,
    },
    Check {
        name: "npm package, installed",
        run: npm_package::install_packed,
    },
    Check {
        name: "corpus through wasm in Node",
        run: parity::node,
    },
    Check {
        name: "size of the wasm module",
        run: published::size,
    },
    Check {
        name: "npm package as a stranger uses it",
        run: published::as_a_stranger,
    },
    Check {
        name: "page: types and components",
        run: website::sources,
    },
    Check {
        name: "page: build",
        run: website::build,
    },
    Check {
        name: "corpus through wasm in the browser",
        run: parity::browser,
    },
    Check {
        name: "page in the browser",
        run: website::page,
    },
    Check {
        name: "fuzz targets",
        run: fuzzing::targets,
    },
    Check {
        name: "licences, duplicates and sources of dependencies",
        run: rust::dependencies,
    },
    Check {
        name: "documentation",
        run: rust::documentation,
    },
];

pub(crate) const QUICK: &[Check] = &[
    Check {
        name: "format",
        run: rust::format,
    },
    Check {
        name: "clippy",
        run: rust::clippy,
    },
    Check {
        name: "tests of the core and the corpus",
        run: rust::tests_of_core,
    },
];

/// Runs checks one after the other, with a line before each and the time after it.
///
/// # Errors
/// At the first check that fails.
pub(crate) fn run(workspace: &Workspace, checks: &[&Check]) -> Result<(), Failure> {
    for (index, check) in checks.iter().enumerate() {
        println!("check  {}/{} {}", index + 1, checks.len(), check.name);
        let start = Instant::now();
        (check.run)(workspace).map_err(|failure| failure.during(check.name))?;
        println!(
            "check  {}/{} {}: passed ({:.1} s)",
            index + 1,
            checks.len(),
            check.name,
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
