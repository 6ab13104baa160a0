//! What cargo checks.

use std::num::NonZero;

use crate::failure::Failure;
use crate::fuzz;
use crate::process::find;
use crate::setup::cargo_tool;
use crate::setup::wasm_target::WasmRust;
use crate::workspace::Workspace;

pub(super) fn format(workspace: &Workspace) -> Result<(), Failure> {
    workspace
        .cargo("fmt")
        .args(["--all", "--check"])
        .show()
        .map_err(|failure| failure.mend("run `cargo fmt --all`"))
}

pub(super) fn clippy(workspace: &Workspace) -> Result<(), Failure> {
    workspace
        .cargo("clippy")
        .args(["--workspace", "--all-targets", "--", "-D", "warnings"])
        .show()
}

pub(super) fn clippy_wasm(workspace: &Workspace) -> Result<(), Failure> {
    let rust = WasmRust::find(workspace)
        .ok_or_else(|| Failure::new("no Rust for wasm32").mend("run `cargo xtask setup test`"))?;
    rust.clippy(workspace)
        .args([
            "--package",
            "parser-core",
            "--package",
            "parser-wasm",
            "--",
            "-D",
            "warnings",
        ])
        .show()
}

/// Native code writes the snapshots of the corpus, but never here: a difference is for a person to judge.
pub(super) fn tests(workspace: &Workspace) -> Result<(), Failure> {
    runner(workspace, &["--workspace"])
}

pub(super) fn tests_of_core(workspace: &Workspace) -> Result<(), Failure> {
    runner(
        workspace,
        &["--package", "parser-core", "--package", "parity-corpus"],
    )
}

fn runner(workspace: &Workspace, selection: &[&str]) -> Result<(), Failure> {
    let command = if find("cargo-nextest").is_some() {
        // Tests wait for servers, locks and disks about a fifth of their time.
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        workspace
            .cargo("nextest")
            .args([
                "run",
                "--no-fail-fast",
                "--status-level",
                "slow",
                "--final-status-level",
                "slow",
                "--test-threads",
            ])
            .arg((cores + cores.div_ceil(2)).to_string())
            .args(selection)
    } else {
        workspace
            .cargo("test")
            .args(["--no-fail-fast", "--lib", "--bins", "--tests", "--examples"])
            .args(selection)
    };
    command
        .env("INSTA_UPDATE", "no")
        .show()
        .map_err(|failure| failure.mend("if a snapshot differs and the new one is right, run the test with INSTA_UPDATE=always and review the diff"))
}

/// Documentation examples have no run path of their own: they find the engine library through the environment.
pub(super) fn doctests(workspace: &Workspace) -> Result<(), Failure> {
    let variable = match std::env::consts::OS {
        "macos" => "DYLD_FALLBACK_LIBRARY_PATH",
        "windows" => "PATH",
        _ => "LD_LIBRARY_PATH",
    };
    workspace
        .cargo("test")
        .args(["--doc", "--workspace"])
        .prepend_path(variable, &workspace.library_folder())
        .show()
}

/// Not the advisories: their database is fetched from a code host, which not every machine that runs this can reach.
/// `cargo deny check advisories` looks at them.
pub(super) fn dependencies(workspace: &Workspace) -> Result<(), Failure> {
    for manifest in ["Cargo.toml", fuzz::MANIFEST] {
        cargo_tool::cargo_deny(workspace)?
            .folder(&workspace.path(""))
            .args(["--manifest-path", manifest, "--config", "deny.toml"])
            .args([
                "--workspace",
                "check",
                "--hide-inclusion-graph",
                "bans",
                "licenses",
                "sources",
            ])
            .show()
            .map_err(|failure| {
                failure.mend("choose another dependency, or allow it in deny.toml with the reason")
            })?;
    }
    Ok(())
}

pub(super) fn documentation(workspace: &Workspace) -> Result<(), Failure> {
    workspace
        .cargo("doc")
        .args(["--workspace", "--no-deps", "--document-private-items"])
        .env("RUSTDOCFLAGS", "-D warnings")
        .show()
}
