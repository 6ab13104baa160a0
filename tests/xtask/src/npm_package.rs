//! Builds `@lakemill/parser`: the wasm module, its JavaScript and its types, into `parser-wasm/npm/dist`.

use std::fs;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::process::Program;
use crate::setup::wasm_target::{self, WasmRust};
use crate::setup::{cargo_tool, node_tool};
use crate::workspace::{Workspace, create_folder, place};

const PACKAGE: &str = "parser-wasm/npm";
const DIST: &str = "parser-wasm/npm/dist";
/// What goes with every copy of the code.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// A module of the package: the same functions, with or without column lineage.
#[derive(Clone, Copy)]
pub(crate) struct Module {
    /// What its files are called.
    name: &'static str,
    /// Features of `parser-wasm`, as arguments of cargo.
    features: &'static [&'static str],
}

/// `@lakemill/parser`: what an editor loads.
pub(crate) const EDITOR: Module = Module {
    name: "lakemill_parser",
    features: &["--no-default-features"],
};
/// `@lakemill/parser/lineage`: everything.
pub(crate) const WHOLE: Module = Module {
    name: "lakemill_lineage",
    features: &[],
};

impl Module {
    /// The built module.
    pub(crate) fn wasm(self) -> String {
        format!("{DIST}/{}_bg.wasm", self.name)
    }
}

/// Compiles and optimises the modules and writes the JavaScript around them; wasm-pack's part of `parser-wasm/Cargo.toml`
/// says how they are optimised.
///
/// # Errors
/// When a tool is missing or fails.
pub(crate) fn build(workspace: &Workspace) -> Result<(), Failure> {
    let rust = WasmRust::find(workspace)
        .ok_or_else(|| Failure::new("no Rust for wasm32").mend("run `cargo xtask setup test`"))?;
    let dist = workspace.path(DIST);
    create_folder(&dist)?;
    for name in LICENCES {
        let text = workspace.path(name);
        fs::copy(&text, dist.join(name)).map_err(|error| Failure::file("copy", &text, &error))?;
    }
    [EDITOR, WHOLE]
        .iter()
        .try_for_each(|module| build_module(workspace, &rust, *module))
}

fn build_module(workspace: &Workspace, rust: &WasmRust, module: Module) -> Result<(), Failure> {
    // wasm-pack would mark its output as ignored, and npm would believe it: it writes elsewhere.
    let fresh = workspace.target("npm-dist");
    if fresh.exists() {
        fs::remove_dir_all(&fresh).map_err(|error| Failure::file("delete", &fresh, &error))?;
    }
    let wasm_pack = cargo_tool::wasm_pack(workspace)?
        .prepend_path("PATH", &node_tool::wasm_opt_folder(workspace))
        .folder(&workspace.path(""));
    rust.small(workspace, wasm_pack)
        .args(["build", "parser-wasm", "--target", "web"])
        .args(["--profile", wasm_target::PROFILE])
        .args(["--mode", "no-install", "--no-pack"])
        .args(["--out-name", module.name, "--out-dir"])
        .arg(&fresh)
        .args(module.features)
        .args(rust.library_arguments())
        .show()?;
    let types = fresh.join(format!("{}.d.ts", module.name));
    let generated =
        fs::read_to_string(&types).map_err(|error| Failure::file("read", &types, &error))?;
    fs::write(&types, for_typescript(&generated))
        .map_err(|error| Failure::file("write", &types, &error))?;

    let dist = workspace.path(DIST);
    for end in [".js", ".d.ts", "_bg.wasm", "_bg.wasm.d.ts"] {
        let file = format!("{}{end}", module.name);
        place(&fresh.join(&file), &dist.join(&file))?;
    }
    Ok(())
}

/// The documentation of the functions as TypeScript's tools read it: Rust's `# Errors` becomes `@throws`, and goes where it
/// says that there are none.
fn for_typescript(types: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut heading = false;
    let mut absent = false;
    for line in types.lines() {
        let is_end = line.trim() == "*/";
        if line == " * # Errors" {
            heading = true;
            if lines.last().is_some_and(|last| last == " *") {
                lines.pop();
            }
            continue;
        }
        if heading {
            heading = false;
            absent = line.starts_with(" * None");
            if !absent && let Some(when) = line.strip_prefix(" * ") {
                lines.push(format!(" * @throws {when}"));
                continue;
            }
        }
        absent &= !is_end;
        if !absent {
            lines.push(line.to_owned());
        }
    }
    lines.join("\n") + "\n"
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
        .quiet()?;
    let installed = consumer.join("node_modules/@lakemill/parser/dist");
    match LICENCES.iter().find(|name| !installed.join(name).is_file()) {
        Some(name) => Err(Failure::new(format!("{name} is not in {tarball}"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::for_typescript;

    #[test]
    fn errors_become_throws() {
        let rust = "/**\n * Plans.\n *\n * # Errors\n * When the options are\n * malformed.\n */\nexport function plan(): void;\n\
                    /**\n * Parses.\n *\n * # Errors\n * None for any text.\n */\nexport function parse(): void;\n";
        assert_eq!(
            for_typescript(rust),
            "/**\n * Plans.\n * @throws When the options are\n * malformed.\n */\nexport function plan(): void;\n\
             /**\n * Parses.\n */\nexport function parse(): void;\n"
        );
    }
}
