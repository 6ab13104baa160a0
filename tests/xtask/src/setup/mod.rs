//! What the commands need on the machine, as a table of steps. Each is skipped when its result is already there.

pub(crate) mod browser;
pub(crate) mod cargo_tool;
mod cpp_compiler;
mod debian;
mod engine_library;
mod extensions;
pub(crate) mod node_project;
pub(crate) mod node_tool;
mod postgres;
pub(crate) mod wasm_target;

use std::panic;
use std::thread;
use std::time::Instant;

use crate::failure::Failure;
use crate::workspace::Workspace;

/// One thing that has to be on the machine.
///
/// A new one is an entry in [`MAIN`] or [`TEST`] below, with its functions in a module beside this one. Steps of one table
/// run at the same time: none may need another.
#[derive(Debug)]
pub(crate) struct Step {
    /// What it provides.
    pub(crate) name: &'static str,
    /// Whether the right version is there already. Cheap, changes nothing, and false when in doubt.
    pub(crate) is_done: fn(&Workspace) -> bool,
    /// Provides it, and says what it did. `is_done` holds afterwards.
    pub(crate) run: fn(&Workspace) -> Result<String, Failure>,
    /// What a person can do when `run` fails and the failure itself does not say.
    pub(crate) mend: &'static str,
}

/// What building and running lakemill needs.
pub(crate) const MAIN: &[Step] = &[engine_library::STEP, extensions::STEP];

/// What the tests need on top of [`MAIN`].
pub(crate) const TEST: &[Step] = &[
    wasm_target::STEP,
    cargo_tool::WASM_PACK,
    cargo_tool::WASM_BINDGEN,
    cargo_tool::CARGO_DENY,
    node_tool::BINARYEN,
    node_project::WEB_DEMO_PACKAGES,
    node_project::BROWSER_TEST_PACKAGES,
    browser::STEP,
    cpp_compiler::STEP,
    postgres::STEP,
    cargo_tool::S3S_FS,
    extensions::TEST_STEP,
];

/// What linking lakemill needs; the extensions can come later, through lakemill itself.
pub(crate) const LINK: &[Step] = &[engine_library::STEP];

/// What the npm package needs.
pub(crate) const WASM: &[Step] = &[
    wasm_target::STEP,
    cargo_tool::WASM_PACK,
    cargo_tool::WASM_BINDGEN,
    node_tool::BINARYEN,
];

/// What the fuzz targets need.
pub(crate) const FUZZ: &[Step] = &[cpp_compiler::STEP];

/// Carries out the steps that are not done, all at once since most of them wait for a network or for one thread.
///
/// # Errors
/// With the first step of the table that fails, once all have ended.
pub(crate) fn ensure(workspace: &Workspace, steps: &[Step]) -> Result<(), Failure> {
    let (done, missing): (Vec<&Step>, Vec<&Step>) =
        steps.iter().partition(|step| (step.is_done)(workspace));
    for step in done {
        println!("setup  {}: already there", step.name);
    }
    thread::scope(|scope| {
        let running: Vec<_> = missing
            .into_iter()
            .map(|step| scope.spawn(move || provide(workspace, step)))
            .collect();
        let ended: Vec<Result<(), Failure>> = running
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|cause| panic::resume_unwind(cause))
            })
            .collect();
        ended.into_iter().collect()
    })
}

fn provide(workspace: &Workspace, step: &Step) -> Result<(), Failure> {
    println!("setup  {}: fetching …", step.name);
    let start = Instant::now();
    let outcome = (step.run)(workspace).and_then(|report| {
        if (step.is_done)(workspace) {
            return Ok(report);
        }
        Err(Failure::new(format!("still not there after `{report}`")))
    });
    let seconds = start.elapsed().as_secs();
    match outcome {
        Ok(report) => {
            println!("setup  {}: {report} ({seconds} s)", step.name);
            Ok(())
        }
        Err(failure) => {
            println!("setup  {}: FAILED ({seconds} s)", step.name);
            Err(failure.mend(step.mend).during(step.name))
        }
    }
}
