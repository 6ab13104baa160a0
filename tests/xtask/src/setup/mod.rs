//! What the commands need on the machine, as a table of steps. Each is skipped when its result is already there.

pub(crate) mod cargo_tool;
mod debian;
mod engine_library;
mod extensions;
pub(crate) mod node_tool;
pub(crate) mod wasm_target;

use std::time::Instant;

use crate::failure::Failure;
use crate::workspace::Workspace;

/// One thing that has to be on the machine.
///
/// A new one is an entry in [`MAIN`] or [`TEST`] below, with its functions in a module beside this one.
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
    cargo_tool::WASM_BINDGEN,
    cargo_tool::CARGO_DENY,
    node_tool::BINARYEN,
    node_tool::TYPESCRIPT,
];

/// What linking lakemill needs; the extensions can come later, through lakemill itself.
pub(crate) const LINK: &[Step] = &[engine_library::STEP];

/// What the npm package needs.
pub(crate) const WASM: &[Step] = &[
    wasm_target::STEP,
    cargo_tool::WASM_BINDGEN,
    node_tool::BINARYEN,
];

/// Carries out the steps that are not done, one line each.
///
/// # Errors
/// At the first step that fails.
pub(crate) fn ensure(workspace: &Workspace, steps: &[Step]) -> Result<(), Failure> {
    for step in steps {
        if (step.is_done)(workspace) {
            println!("setup  {}: already there", step.name);
            continue;
        }
        println!("setup  {}: fetching …", step.name);
        let start = Instant::now();
        let report =
            (step.run)(workspace).map_err(|failure| failure.mend(step.mend).during(step.name))?;
        if !(step.is_done)(workspace) {
            return Err(
                Failure::new(format!("{}: still not there after `{report}`", step.name))
                    .mend(step.mend),
            );
        }
        println!(
            "setup  {}: {report} ({} s)",
            step.name,
            start.elapsed().as_secs()
        );
    }
    Ok(())
}
