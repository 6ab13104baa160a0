//! Builds `@lakemill/parser`: the wasm module, its JavaScript and its types, into `parser-wasm/npm/dist`.

use std::fs;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::process::Program;
use crate::setup::wasm_target::WasmRust;
use crate::setup::{cargo_tool, node_tool};
use crate::workspace::{Workspace, create_folder, place};

const PACKAGE: &str = "parser-wasm/npm";
const DIST: &str = "parser-wasm/npm/dist";
const FILES: &[&str] = &[
    "lakemill_parser.js",
    "lakemill_parser.d.ts",
    "lakemill_parser_bg.wasm",
    "lakemill_parser_bg.wasm.d.ts",
];
/// The built module.
pub(crate) const MODULE: &str = "parser-wasm/npm/dist/lakemill_parser_bg.wasm";

/// Compiles and optimises the module and writes the JavaScript around it; wasm-pack's part of `parser-wasm/Cargo.toml` says
/// how it is optimised.
///
/// # Errors
/// When a tool is missing or fails.
pub(crate) fn build(workspace: &Workspace) -> Result<(), Failure> {
    let rust = WasmRust::find(workspace)
        .ok_or_else(|| Failure::new("no Rust for wasm32").mend("run `cargo xtask setup test`"))?;
    // wasm-pack would mark its output as ignored, and npm would believe it: it writes elsewhere.
    let fresh = workspace.target("npm-dist");
    if fresh.exists() {
        fs::remove_dir_all(&fresh).map_err(|error| Failure::file("delete", &fresh, &error))?;
    }
    let wasm_pack = cargo_tool::wasm_pack(workspace)?
        .prepend_path("PATH", &node_tool::wasm_opt_folder(workspace))
        .folder(&workspace.path(""));
    rust.environment(workspace, wasm_pack)
        .args(["build", "parser-wasm", "--target", "web"])
        .args(["--mode", "no-install", "--no-pack"])
        .args(["--out-name", "lakemill_parser", "--out-dir"])
        .arg(&fresh)
        .show()?;

    let dist = workspace.path(DIST);
    create_folder(&dist)?;
    for file in FILES {
        place(&fresh.join(file), &dist.join(file))?;
    }
    Ok(())
}

/// A folder outside of the workspace's sources with the package installed from its tarball, as a consumer would.
pub(crate) fn consumer(workspace: &Workspace) -> PathBuf {
    workspace.target("npm-consumer")
}

/// Packs the package and installs the tarball into [`consumer`].
///
/// # Errors
/// When npm fails.
pub(crate) fn install_packed(workspace: &Workspace) -> Result<(), Failure> {
    let consumer = consumer(workspace);
    if consumer.exists() {
        fs::remove_dir_all(&consumer)
            .map_err(|error| Failure::file("delete", &consumer, &error))?;
    }
    create_folder(&consumer)?;
    let manifest = consumer.join("package.json");
    fs::write(&manifest, "{ \"private\": true, \"type\": \"module\" }\n")
        .map_err(|error| Failure::file("write", &manifest, &error))?;

    let printed = Program::npm(&workspace.path(PACKAGE))
        .args(["pack", "--silent", "--pack-destination"])
        .arg(&consumer)
        .capture()?;
    let tarball = printed.lines().last().unwrap_or_default().trim().to_owned();
    let version = env!("CARGO_PKG_VERSION");
    if tarball != format!("lakemill-parser-{version}.tgz") {
        return Err(Failure::new(format!(
            "npm packed {tarball:?}, the workspace is at version {version}"
        ))
        .mend(format!(
            "give both the same version: Cargo.toml and {PACKAGE}/package.json"
        )));
    }
    Program::npm(&consumer)
        .args([
            "install",
            "--offline",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
        ])
        .arg(format!("./{tarball}"))
        .quiet()
}
