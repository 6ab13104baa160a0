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
/// The built module.
pub(crate) const MODULE: &str = "parser-wasm/npm/dist/lakemill_parser_bg.wasm";

/// Features that every browser since 2023 and Node 20 have, and that Rust's own output uses.
const WASM_FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Compiles and optimises the module and writes the JavaScript around it. Cargo's part is skipped when nothing changed,
/// and the rest too.
///
/// # Errors
/// When a tool is missing or fails, or the package's version is not the workspace's.
pub(crate) fn build(workspace: &Workspace) -> Result<(), Failure> {
    let rust = WasmRust::find(workspace)
        .ok_or_else(|| Failure::new("no Rust for wasm32").mend("run `cargo xtask setup test`"))?;
    rust.cargo(workspace, "build")
        .args(["--package", "parser-wasm", "--lib"])
        .show()?;

    let compiled = WasmRust::module(workspace, "parser_wasm");
    let packaged = workspace.path(MODULE);
    if is_newer(&packaged, &compiled) {
        println!("       {DIST} is up to date");
        return Ok(());
    }

    let fresh = workspace.target("npm-dist");
    if fresh.exists() {
        fs::remove_dir_all(&fresh).map_err(|error| Failure::file("delete", &fresh, &error))?;
    }
    cargo_tool::wasm_bindgen(workspace)?
        .args([
            "--target",
            "web",
            "--out-name",
            "lakemill_parser",
            "--out-dir",
        ])
        .arg(&fresh)
        .arg(&compiled)
        .quiet()?;
    let module = fresh.join("lakemill_parser_bg.wasm");
    let small = fresh.join("optimised.wasm");
    node_tool::wasm_opt(workspace)
        .arg("-Os")
        .args(WASM_FEATURES)
        .arg("-o")
        .arg(&small)
        .arg(&module)
        .quiet()?;
    fs::rename(&small, &module).map_err(|error| Failure::file("write", &module, &error))?;

    // The module goes last: its time says that all of it is up to date.
    let dist = workspace.path(DIST);
    create_folder(&dist)?;
    for file in [
        "lakemill_parser.js",
        "lakemill_parser.d.ts",
        "lakemill_parser_bg.wasm.d.ts",
        "lakemill_parser_bg.wasm",
    ] {
        place(&fresh.join(file), &dist.join(file))?;
    }
    let size = fs::metadata(&packaged)
        .map_err(|error| Failure::file("read", &packaged, &error))?
        .len();
    println!("       {DIST}: module of {size} bytes");
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

fn is_newer(path: &std::path::Path, than: &std::path::Path) -> bool {
    let modified = |path: &std::path::Path| fs::metadata(path).and_then(|data| data.modified());
    match (modified(path), modified(than)) {
        (Ok(path), Ok(than)) => path >= than,
        _ => false,
    }
}
