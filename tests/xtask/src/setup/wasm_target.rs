//! A Rust compiler for the browser: rustup's target, or Debian's compiler where rustup cannot fetch one.
//!
//! Both can also compile the standard library along with the module, which makes it a good deal smaller: nothing in it
//! describes a panic, and its algorithms are the short ones.

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
    is_done: |workspace| {
        WasmRust::find(workspace)
            .is_some_and(|rust| rust.compiles_library() || refusal(workspace).is_file())
    },
    run,
    mend: "run `rustup target add wasm32-unknown-unknown`",
};

const TARGET: &str = "wasm32-unknown-unknown";
/// The profile of the workspace for this target.
pub(crate) const PROFILE: &str = "wasm";

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
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src";
const DEBIAN_LIBRARIES: &str = "/usr/lib/rustlib";
const DEBIAN_LINKER: &str = "wasm-ld-19";

/// How long rustup may try to fetch the target.
const RUSTUP_LIMIT: Duration = Duration::from_secs(180);

/// A compiler that has a standard library for wasm32.
#[derive(Debug)]
pub(crate) enum WasmRust {
    /// The workspace's own toolchain.
    Rustup {
        /// Whether the source of the standard library is there.
        has_source: bool,
    },
    /// Debian's, with a standard library for wasm32 that is compiled once.
    Debian {
        /// In the cache: `bin` with the compiler and cargo, `lib/rustlib` with the libraries.
        sysroot: PathBuf,
    },
}

impl WasmRust {
    /// The compiler that can be used now, if there is one.
    pub(crate) fn find(workspace: &Workspace) -> Option<Self> {
        if rustup_has_target() {
            let has_source = rustup_has_source();
            return Some(Self::Rustup { has_source });
        }
        let sysroot = debian_sysroot(workspace)?;
        let is_complete = sysroot.join(COMPLETE).is_file() && sysroot.join(SOURCE).is_dir();
        (is_complete && debian_is_installed()).then_some(Self::Debian { sysroot })
    }

    /// cargo-clippy for wasm32.
    pub(crate) fn clippy(&self, workspace: &Workspace) -> Program {
        let program = match self {
            Self::Rustup { .. } => workspace.cargo("clippy"),
            // `cargo clippy` would start the first cargo-clippy that it finds, which is rustup's.
            Self::Debian { sysroot } => Program::new(DEBIAN_CLIPPY)
                .arg("clippy")
                .folder(&workspace.path(""))
                .env("SYSROOT", sysroot),
        };
        self.environment(workspace, program, &[])
            .args(["--profile", PROFILE, "--target", TARGET])
    }

    /// Makes a program that starts cargo use this compiler as [`library_arguments`](Self::library_arguments) need it.
    pub(crate) fn small(&self, workspace: &Workspace, program: Program) -> Program {
        if !self.compiles_library() {
            return self.environment(workspace, program, &[]);
        }
        self.environment(
            workspace,
            program,
            &[
                "-Zunstable-options",
                "-Cpanic=immediate-abort",
                // No message is made of `{:?}`, and what is in libraries of it is long.
                "-Zfmt-debug=none",
            ],
        )
    }

    /// Arguments of `cargo build` that make the module small, where the source of the standard library is there.
    pub(crate) fn library_arguments(&self) -> &'static [&'static str] {
        if !self.compiles_library() {
            return &[];
        }
        &[
            "-Zbuild-std=std,panic_abort",
            "-Zbuild-std-features=optimize_for_size",
        ]
    }

    /// Whether the module gets a standard library that is compiled for it.
    pub(crate) fn compiles_library(&self) -> bool {
        match self {
            Self::Rustup { has_source } => *has_source,
            Self::Debian { .. } => true,
        }
    }

    /// Makes a program that starts cargo use this compiler. The build folder is one of its own, since another compiler may
    /// be at work here.
    fn environment(&self, workspace: &Workspace, program: Program, flags: &[&str]) -> Program {
        let program = match self {
            Self::Rustup { .. } => program,
            Self::Debian { sysroot } => program
                .prepend_path("PATH", &sysroot.join("bin"))
                .env("RUSTC", sysroot.join("bin/rustc"))
                .env("CARGO", DEBIAN_CARGO)
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", DEBIAN_LINKER)
                .without_env("RUSTUP_TOOLCHAIN"),
        };
        // Panic messages name source files: the package shall not tell where it was built.
        let mut private = vec![workspace.path("")];
        private.extend(env::home_dir().map(|home| home.join(".cargo/registry/src")));
        let remapped = private
            .iter()
            .map(|folder| format!("--remap-path-prefix={}=", folder.display()));
        let flags: Vec<String> = remapped
            // Texts are searched sixteen bytes at a time.
            .chain(["-Ctarget-feature=+simd128".to_owned()])
            .chain(flags.iter().map(|flag| (*flag).to_owned()))
            .collect();
        let program = if self.compiles_library() {
            // Nightly options, on a compiler that is not one. Macros are compiled anew whenever this comes or goes: the
            // checks would do so by turns.
            program.env("RUSTC_BOOTSTRAP", "1")
        } else {
            program
        };
        program
            .env("CARGO_TARGET_DIR", workspace.target("wasm"))
            // Flags apart by this character may have spaces in them.
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
    }
}

fn run(workspace: &Workspace) -> Result<String, Failure> {
    create_folder(&workspace.target(""))?;
    let log = workspace.target("xtask-rustup.log");
    let rustup = |arguments: [&str; 3]| {
        let program = Program::new("rustup").args(arguments);
        program.quiet_within(RUSTUP_LIMIT, &log)
    };
    let refused = match rustup(["target", "add", TARGET]) {
        Ok(()) if rustup(["component", "add", "rust-src"]).is_ok() => {
            return Ok("added by rustup".to_owned());
        }
        Ok(()) => {
            let refusal = refusal(workspace);
            fs::copy(&log, &refusal).map_err(|error| Failure::file("write", &refusal, &error))?;
            return Ok(format!(
                "added by rustup, without the source of the standard library: the module will be larger ({})",
                refusal.display()
            ));
        }
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
    link_compiler(&sysroot)?;
    build_standard_library(workspace, &sysroot)?;
    let complete = sysroot.join(COMPLETE);
    fs::write(&complete, "").map_err(|error| Failure::file("write", &complete, &error))?;
    Ok(format!(
        "Debian's compiler, standard library compiled into {}",
        sysroot.display()
    ))
}

/// What rustup said when it could not fetch the source of the standard library: asked once, not at every set-up.
fn refusal(workspace: &Workspace) -> PathBuf {
    workspace.target("xtask-no-rust-src.log")
}

fn rustup_has_target() -> bool {
    let folder = Program::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .capture();
    folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

fn rustup_has_source() -> bool {
    let sysroot = Program::new("rustc").args(["--print", "sysroot"]).capture();
    sysroot.is_ok_and(|sysroot| {
        Path::new(sysroot.trim())
            .join(SOURCE)
            .join("rust/library/Cargo.lock")
            .is_file()
    })
}

fn debian_is_installed() -> bool {
    [DEBIAN_CARGO, DEBIAN_CLIPPY, DEBIAN_RUSTC, DEBIAN_SOURCE]
        .iter()
        .all(|path| Path::new(path).exists())
        && find(DEBIAN_LINKER).is_some()
}

/// One folder per compiler version: a library of another version cannot be read.
fn debian_sysroot(workspace: &Workspace) -> Option<PathBuf> {
    let printed = Program::new(DEBIAN_RUSTC).arg("--version").capture().ok()?;
    let version = printed.split_whitespace().nth(1)?;
    Some(workspace.cached(&format!("rust-wasm32/{version}")))
}

/// Where cargo looks for the source of the standard library in a sysroot.
const SOURCE: &str = "lib/rustlib/src";

/// Written last into the sysroot.
const COMPLETE: &str = "COMPLETE";

/// A compiler that takes the sysroot for its own, as wasm-pack asks of it, and the cargo beside it.
fn link_compiler(sysroot: &Path) -> Result<(), Failure> {
    let (bin, rustlib) = (sysroot.join("bin"), sysroot.join("lib/rustlib"));
    create_folder(&bin)?;
    create_folder(&rustlib)?;
    let rustc = bin.join("rustc");
    let script = format!(
        "#!/bin/sh\nexec {DEBIAN_RUSTC} --sysroot='{}' \"$@\"\n",
        sysroot.display()
    );
    fs::write(&rustc, script).map_err(|error| Failure::file("write", &rustc, &error))?;
    Program::new("chmod").arg("+x").arg(&rustc).quiet()?;
    let host = format!("{}-unknown-linux-gnu", env::consts::ARCH);
    for (original, link) in [
        (PathBuf::from(DEBIAN_CARGO), bin.join("cargo")),
        (Path::new(DEBIAN_LIBRARIES).join(&host), rustlib.join(&host)),
        (PathBuf::from(DEBIAN_SOURCE), sysroot.join(SOURCE)),
    ] {
        Program::new("ln")
            .arg("-sfn")
            .arg(&original)
            .arg(&link)
            .quiet()?;
    }
    Ok(())
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
    Program::new(DEBIAN_CARGO)
        .folder(&folder)
        .args([
            "build",
            "--release",
            "-Zbuild-std=std,panic_abort",
            "--target",
            TARGET,
        ])
        .env("RUSTC", DEBIAN_RUSTC)
        .without_env("RUSTUP_TOOLCHAIN")
        // Nightly options, on a compiler that is not one.
        .env("RUSTC_BOOTSTRAP", "1")
        // Link-time optimisation across crates reads the libraries' bitcode.
        .env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
            "-Cembed-bitcode=yes",
        )
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .quiet()?;

    let libraries = sysroot.join("lib/rustlib").join(TARGET).join("lib");
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
    // The libraries are all that is needed of it.
    fs::remove_dir_all(&folder).map_err(|error| Failure::file("delete", &folder, &error))
}
