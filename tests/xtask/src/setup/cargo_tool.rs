//! Programs that are compiled from crates.io, each version in a folder of its own in the cache.

use std::env;
use std::path::PathBuf;

use super::Step;
use crate::failure::Failure;
use crate::process::{Program, find};
use crate::versions::locked;
use crate::workspace::{Workspace, place};

pub(super) const WASM_BINDGEN: Step = Step {
    name: "wasm-bindgen",
    is_done: |workspace| wasm_bindgen_tool(workspace).is_ok_and(|tool| tool.path().is_some()),
    run: |workspace| wasm_bindgen_tool(workspace)?.install(),
    mend: "make crates.io reachable, or install wasm-bindgen-cli of the version of wasm-bindgen in Cargo.lock",
};

pub(super) const WASM_PACK: Step = Step {
    name: "wasm-pack",
    is_done: |workspace| wasm_pack_tool(workspace).path().is_some(),
    run: |workspace| wasm_pack_tool(workspace).install(),
    mend: "make crates.io reachable, or install wasm-pack",
};

pub(super) const CARGO_DENY: Step = Step {
    name: "cargo-deny",
    is_done: |workspace| cargo_deny_tool(workspace).path().is_some(),
    run: |workspace| cargo_deny_tool(workspace).install(),
    mend: "make crates.io reachable, or install cargo-deny",
};

pub(super) const S3S_FS: Step = Step {
    name: "s3s-fs",
    is_done: |workspace| {
        s3s_fs_tool(workspace).path().is_some() && workspace.path(S3_SERVER).is_file()
    },
    run: |workspace| {
        let tool = s3s_fs_tool(workspace);
        let report = match tool.path() {
            Some(_) => "from the cache".to_owned(),
            None => tool.install()?,
        };
        // The tests find it beside the engine's library.
        place(&tool.installed()?, &workspace.path(S3_SERVER))?;
        Ok(report)
    },
    mend: "make crates.io reachable, or install s3s-fs with its feature `binary`",
};

/// Where the interop tests look for the S3 server.
const S3_SERVER: &str = ".toolchain/bin/s3s-fs";

/// The program of [`WASM_PACK`], which finds that of [`WASM_BINDGEN`].
///
/// # Errors
/// When one of them is not installed.
pub(crate) fn wasm_pack(workspace: &Workspace) -> Result<Program, Failure> {
    let bindgen = wasm_bindgen_tool(workspace)?.installed()?;
    let program = Program::new(wasm_pack_tool(workspace).installed()?);
    Ok(match bindgen.parent() {
        Some(folder) => program.prepend_path("PATH", folder),
        None => program,
    })
}

/// The program of [`CARGO_DENY`].
///
/// # Errors
/// When it is not installed.
pub(crate) fn cargo_deny(workspace: &Workspace) -> Result<Program, Failure> {
    Ok(Program::new(cargo_deny_tool(workspace).installed()?))
}

/// One program of one crate version.
struct Tool {
    crate_name: &'static str,
    program: &'static str,
    /// The features that the program needs.
    features: &'static str,
    version: String,
    folder: PathBuf,
}

fn wasm_bindgen_tool(workspace: &Workspace) -> Result<Tool, Failure> {
    // The two halves of wasm-bindgen speak a private format: they must be of the very same version.
    let version = locked(&workspace.path("Cargo.lock"), "wasm-bindgen")?;
    Ok(Tool::new(
        workspace,
        "wasm-bindgen-cli",
        "wasm-bindgen",
        version,
    ))
}

fn wasm_pack_tool(workspace: &Workspace) -> Tool {
    Tool::new(
        workspace,
        "wasm-pack",
        "wasm-pack",
        workspace.versions.tools.wasm_pack.clone(),
    )
}

fn cargo_deny_tool(workspace: &Workspace) -> Tool {
    Tool::new(
        workspace,
        "cargo-deny",
        "cargo-deny",
        workspace.versions.tools.cargo_deny.clone(),
    )
}

fn s3s_fs_tool(workspace: &Workspace) -> Tool {
    let version = workspace.versions.tools.s3s_fs.clone();
    Tool {
        features: "binary",
        ..Tool::new(workspace, "s3s-fs", "s3s-fs", version)
    }
}

impl Tool {
    fn new(
        workspace: &Workspace,
        crate_name: &'static str,
        program: &'static str,
        version: String,
    ) -> Self {
        let folder = workspace.cached(&format!("cargo/{crate_name}-{version}"));
        Self {
            crate_name,
            program,
            features: "",
            version,
            folder,
        }
    }

    /// The program in the cache, or one of the same version that the developer has installed.
    fn path(&self) -> Option<PathBuf> {
        let cached =
            self.folder
                .join("bin")
                .join(format!("{}{}", self.program, env::consts::EXE_SUFFIX));
        if cached.is_file() {
            return Some(cached);
        }
        let own = find(self.program)?;
        let printed = Program::new(&own).arg("--version").capture().ok()?;
        printed
            .split_whitespace()
            .any(|word| word == self.version)
            .then_some(own)
    }

    fn installed(&self) -> Result<PathBuf, Failure> {
        self.path().ok_or_else(|| {
            Failure::new(format!(
                "{} {} is not installed",
                self.program, self.version
            ))
        })
    }

    fn install(&self) -> Result<String, Failure> {
        // A mirror of crates.io can be some days behind what a lock file names: then the newest versions that fit do.
        self.compile(&["--locked"]).or_else(|_| self.compile(&[]))?;
        Ok(format!(
            "{} {} compiled from crates.io",
            self.crate_name, self.version
        ))
    }

    fn compile(&self, options: &[&str]) -> Result<(), Failure> {
        Program::new("cargo")
            .args([
                "install",
                self.crate_name,
                "--version",
                &self.version,
                "--bin",
                self.program,
                "--no-default-features",
                "--features",
                self.features,
            ])
            .args(options.iter().copied())
            .arg("--root")
            .arg(&self.folder)
            // Built once, run for seconds: what counts is how soon it is there.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
            .without_env("CARGO_TARGET_DIR")
            .quiet()
    }
}
