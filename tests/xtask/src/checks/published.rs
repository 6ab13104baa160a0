//! The npm package as those who install it see it.

use std::path::Path;

use super::website;
use crate::failure::Failure;
use crate::npm_package;
use crate::process::Program;
use crate::setup::node_project::WEB_DEMO;
use crate::setup::wasm_target::WasmRust;
use crate::workspace::Workspace;

/// What the module may weigh when it is sent to a browser, in bytes. The aim is 150 KB, which it does not reach yet; the
/// limit keeps it from growing further away and is lowered with each step towards the aim.
const SIZE_LIMIT_BYTES: usize = 182_000;
/// The same where the source of the standard library could not be had.
const PREBUILT_LIMIT_BYTES: usize = 240_000;

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

/// The budget of the module, compressed as a web server would.
pub(super) fn size(workspace: &Workspace) -> Result<(), Failure> {
    let module = workspace.path(npm_package::MODULE);
    let size = compressed_size(&module)?;
    let is_small = WasmRust::find(workspace).is_some_and(|rust| rust.compiles_library());
    let (library, limit) = if is_small {
        ("compiled for it", SIZE_LIMIT_BYTES)
    } else {
        ("prebuilt, which is larger", PREBUILT_LIMIT_BYTES)
    };
    println!(
        "       {size} bytes compressed, of {limit} allowed with a standard library {library}"
    );
    if size > limit {
        return Err(Failure::new(format!(
            "the module has {size} bytes compressed, {limit} are allowed"
        ))
        .mend(
            "look for what grew it: a new dependency, formatting of floats, panics with messages",
        ));
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
