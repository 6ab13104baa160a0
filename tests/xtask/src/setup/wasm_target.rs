//! A Rust compiler for the browser: rustup's target, or Debian's compiler where rustup cannot fetch one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Step, debian};
use crate::failure::Failure;
use crate::process::{Program, find};
use crate::workspace::{Workspace, create_folder};

pub(super) const STEP: Step = Step {
    name: "Rust for wasm32",
    is_done: |workspace| WasmRust::find(workspace).is_some(),
    run,
    mend: "run `rustup target add wasm32-unknown-unknown`",
};

const TARGET: &str = "wasm32-unknown-unknown";

/// Debian's compiler, its clippy, the source of the standard library, and a linker.
const DEBIAN_PACKAGES: &[&str] = &[
    "rustc-web",
    "cargo-web",
    "rust-web-clippy",
    "rust-web-src",
    "lld-19",
];
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_CLIPPY: &str = "/usr/bin/cargo-clippy";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library/std/Cargo.toml";
const DEBIAN_LINKER: &str = "wasm-ld-19";

/// How long rustup may try to fetch the target.
const RUSTUP_LIMIT: Duration = Duration::from_secs(180);

/// A compiler that has a standard library for wasm32.
#[derive(Debug)]
pub(crate) enum WasmRust {
    /// The workspace's own toolchain.
    Rustup,
    /// Debian's. Its standard library for wasm32 is compiled once, into the cache.
    Debian {
        /// Holds `lib/rustlib/wasm32-unknown-unknown/lib`.
        sysroot: PathBuf,
    },
}

impl WasmRust {
    /// The compiler that can be used now, if there is one.
    pub(crate) fn find(workspace: &Workspace) -> Option<Self> {
        if rustup_has_target() {
            return Some(Self::Rustup);
        }
        let sysroot = debian_sysroot(workspace)?;
        (library_folder(&sysroot).join(COMPLETE).is_file() && debian_is_installed())
            .then_some(Self::Debian { sysroot })
    }

    /// A cargo command for wasm32 with the settings of a small release build. It has a build folder of its own, since
    /// another compiler may be at work here.
    pub(crate) fn cargo(&self, workspace: &Workspace, subcommand: &str) -> Program {
        // Panic messages name source files: the package shall not tell where it was built.
        let mut flags = vec![format!(
            "--remap-path-prefix={}=",
            workspace.path("").display()
        )];
        if let Some(home) = env::home_dir() {
            flags.push(format!(
                "--remap-path-prefix={}=",
                home.join(".cargo/registry/src").display()
            ));
        }
        let program = match self {
            Self::Rustup => workspace.cargo(subcommand),
            Self::Debian { sysroot } => {
                flags.push(format!("--sysroot={}", sysroot.display()));
                let cargo = match subcommand {
                    // `cargo clippy` would start the first cargo-clippy that it finds, which is rustup's.
                    "clippy" => Program::new(DEBIAN_CLIPPY).arg("clippy"),
                    _ => Program::new(DEBIAN_CARGO).arg(subcommand),
                };
                debian_environment(cargo.folder(&workspace.path("")))
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", DEBIAN_LINKER)
            }
        };
        program
            .args(["--release", "--target", TARGET])
            .env("CARGO_TARGET_DIR", workspace.target("wasm"))
            // Flags apart by this character may have spaces in them.
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z")
            .env("CARGO_PROFILE_RELEASE_LTO", "fat")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
            .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
    }

    /// Where [`WasmRust::cargo`] puts a crate's module.
    pub(crate) fn module(workspace: &Workspace, name: &str) -> PathBuf {
        workspace.target(&format!("wasm/{TARGET}/release/{name}.wasm"))
    }
}

fn run(workspace: &Workspace) -> Result<String, Failure> {
    let log = workspace.target("xtask-rustup.log");
    create_folder(&workspace.target(""))?;
    let refused = match Program::new("rustup")
        .args(["target", "add", TARGET])
        .quiet_within(RUSTUP_LIMIT, &log)
    {
        Ok(()) => return Ok("added by rustup".to_owned()),
        Err(failure) => failure,
    };
    if !debian::is_available() {
        return Err(refused);
    }
    println!("setup  rustup could not fetch the target; Debian's compiler it is");
    if !debian_is_installed() {
        debian::install(DEBIAN_PACKAGES)?;
    }
    let sysroot = debian_sysroot(workspace).ok_or_else(|| {
        Failure::new(format!("{DEBIAN_RUSTC} does not tell its version"))
            .mend("reinstall Debian's rustc-web")
    })?;
    build_standard_library(workspace, &sysroot)?;
    Ok(format!(
        "Debian's compiler, standard library compiled into {}",
        sysroot.display()
    ))
}

fn rustup_has_target() -> bool {
    let folder = Program::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .capture();
    folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

fn debian_is_installed() -> bool {
    [DEBIAN_CARGO, DEBIAN_CLIPPY, DEBIAN_RUSTC, DEBIAN_SOURCE]
        .iter()
        .all(|path| Path::new(path).is_file())
        && find(DEBIAN_LINKER).is_some()
}

/// One folder per compiler version: a library of another version cannot be read.
fn debian_sysroot(workspace: &Workspace) -> Option<PathBuf> {
    let printed = Program::new(DEBIAN_RUSTC).arg("--version").capture().ok()?;
    let version = printed.split_whitespace().nth(1)?;
    Some(workspace.cached(&format!("rust-wasm32/{version}")))
}

fn debian_environment(program: Program) -> Program {
    program
        .env("RUSTC", DEBIAN_RUSTC)
        .env("RUSTDOC", "/usr/bin/rustdoc")
        .env("CARGO", DEBIAN_CARGO)
        .prepend_path("PATH", Path::new("/usr/bin"))
        .without_env("RUSTUP_TOOLCHAIN")
}

/// Written last into the library folder.
const COMPLETE: &str = "COMPLETE";

fn library_folder(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(TARGET).join("lib")
}

/// Compiles the standard library as a dependency of an empty crate and collects what that leaves behind.
fn build_standard_library(workspace: &Workspace, sysroot: &Path) -> Result<(), Failure> {
    const CRATE: &str = "nothing";
    let folder = workspace.cached("rust-wasm32/build");
    create_folder(&folder.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"{CRATE}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n"
    );
    for (file, text) in [("Cargo.toml", manifest.as_str()), ("src/lib.rs", "")] {
        let path = folder.join(file);
        fs::write(&path, text).map_err(|error| Failure::file("write", &path, &error))?;
    }
    debian_environment(Program::new(DEBIAN_CARGO).folder(&folder))
        .args([
            "build",
            "--release",
            "-Zbuild-std=std,panic_abort",
            "--target",
            TARGET,
        ])
        // Nightly options, on a compiler that is not one.
        .env("RUSTC_BOOTSTRAP", "1")
        // Link-time optimisation across crates reads the libraries' bitcode.
        .env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
            "-Cembed-bitcode=yes",
        )
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .quiet()?;

    let libraries = library_folder(sysroot);
    create_folder(&libraries)?;
    let built = folder.join("target").join(TARGET).join("release/deps");
    let entries = fs::read_dir(&built).map_err(|error| Failure::file("list", &built, &error))?;
    for entry in entries {
        let path = entry
            .map_err(|error| Failure::file("list", &built, &error))?
            .path();
        let Some(name) = path.file_name() else {
            continue;
        };
        let is_library = path
            .extension()
            .is_some_and(|extension| extension == "rlib");
        if is_library && !name.to_string_lossy().starts_with(&format!("lib{CRATE}-")) {
            let copy = libraries.join(name);
            fs::copy(&path, &copy).map_err(|error| Failure::file("write", &copy, &error))?;
        }
    }
    let complete = libraries.join(COMPLETE);
    fs::write(&complete, "").map_err(|error| Failure::file("write", &complete, &error))?;
    // The libraries are all that is needed of it.
    fs::remove_dir_all(&folder).map_err(|error| Failure::file("delete", &folder, &error))
}
