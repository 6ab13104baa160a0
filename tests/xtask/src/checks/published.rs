//! The npm package as those who install it see it.

use std::path::Path;

use super::website;
use crate::failure::Failure;
use crate::npm_package::{EDITOR, Module, WHOLE};
use crate::process::Program;
use crate::setup::node_project::WEB_DEMO;
use crate::setup::wasm_target::WasmRust;
use crate::workspace::Workspace;

/// What the modules may weigh when they are sent to a browser, in bytes.
const SIZE_LIMITS: [(Module, usize); 2] = [(EDITOR, 150_000), (WHOLE, 190_000)];
/// What comes on top where the source of the standard library could not be had.
const PREBUILT_BYTES: usize = 60_000;

/// The Monaco adapter against a stand-in that counts; then the tarball in a project of its own: its types, Node, and the
/// Monaco editor of the README in Chromium.
pub(super) fn as_a_stranger(workspace: &Workspace) -> Result<(), Failure> {
    Program::new("node")
        .arg(workspace.path("tests/browser/adapter.mjs"))
        .arg("--package-in")
        .arg(workspace.path(WEB_DEMO))
        .quiet()?;
    website::in_browser(workspace, "tests/browser/stranger.mjs")?
        .arg("--pictures")
        .arg(workspace.target("stranger"))
        .show()
}

/// The budget of the modules, compressed as a web server would.
pub(super) fn size(workspace: &Workspace) -> Result<(), Failure> {
    let is_small = WasmRust::find(workspace).is_some_and(|rust| rust.compiles_library());
    for (module, limit) in SIZE_LIMITS {
        let (library, limit) = if is_small {
            ("compiled for it", limit)
        } else {
            ("prebuilt, which is larger", limit + PREBUILT_BYTES)
        };
        let (file, size) = (
            module.wasm(),
            compressed_size(&workspace.path(&module.wasm()))?,
        );
        println!(
            "       {file}: {size} bytes compressed, of {limit} allowed with a standard library {library}"
        );
        if size > limit {
            return Err(Failure::new(format!(
                "{file} has {size} bytes compressed, {limit} are allowed"
            ))
            .mend(
                "look for what grew it: a new dependency, formatting of floats, panics with messages",
            ));
        }
    }
    Ok(())
}

/// Node is needed anyway and has the compressor.
fn compressed_size(module: &Path) -> Result<usize, Failure> {
    const SCRIPT: &str = "process.stdout.write(String(require('node:zlib').gzipSync(require('node:fs').readFileSync(process.argv[1]), {level: 9}).length))";
    let printed = Program::new("node")
        .args(["-e", SCRIPT])
        .arg(module)
        .capture()?;
    printed
        .trim()
        .parse()
        .map_err(|_| Failure::new(format!("node printed {printed:?}, not a size")))
}
