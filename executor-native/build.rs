//! Tells the linker where the prebuilt engine library lies, and the program which engine it was built for.
//!
//! `cargo xtask setup` puts the library and the engine's extensions into `.toolchain/`. The binary and the tests get that
//! folder as run path, so that they start without any environment variable. With the feature `bundled` the engine is part
//! of the binary and only its version is passed on.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let crate_dir = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let workspace = crate_dir.parent().ok_or("the crate has no parent folder")?;

    let versions = workspace.join("tests/xtask/versions.toml");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", versions.display());
    println!("cargo::rerun-if-env-changed=DUCKDB_LIB_DIR");
    println!(
        "cargo::rustc-env=LAKEMILL_ENGINE_VERSION={}",
        engine_version(&versions)?
    );

    if env::var_os("CARGO_FEATURE_BUNDLED").is_some() {
        return Ok(());
    }

    let extensions = workspace.join(".toolchain/extensions");
    println!(
        "cargo::rustc-env=LAKEMILL_TOOLCHAIN_EXTENSIONS={}",
        extensions.display()
    );
    println!(
        "cargo::rustc-env=LAKEMILL_EXTENSION_SUMS={}",
        extension_sums(&versions)?
    );

    let library = env::var_os("DUCKDB_LIB_DIR")
        .map_or_else(|| workspace.join(".toolchain/duckdb"), PathBuf::from);
    link_with(&library, &env::var("CARGO_CFG_TARGET_OS")?);
    Ok(())
}

/// Emits the run path: the library's folder, and the binary's own folder for one that was copied elsewhere.
fn link_with(library: &Path, target_os: &str) {
    let (file, origin) = match target_os {
        "macos" => ("libduckdb.dylib", "@loader_path"),
        // Windows has no run path: `duckdb.dll` must lie beside the program.
        "windows" => ("duckdb.dll", ""),
        _ => ("libduckdb.so", "$ORIGIN"),
    };
    if !library.join(file).exists() {
        println!(
            "cargo::warning={file} is not in {}: run `cargo xtask setup`",
            library.display()
        );
    }
    // Cargo runs this script again once the file appears, and the warning goes.
    println!("cargo::rerun-if-changed={}", library.join(file).display());
    if !origin.is_empty() {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", library.display());
        println!("cargo::rustc-link-arg=-Wl,-rpath,{origin}");
    }
}

/// The lines `name = "sum"` of the version table's part for this platform, as `name=sum,…`: empty where it knows none.
fn extension_sums(versions: &Path) -> Result<String, Box<dyn Error>> {
    let target = format!(
        "target = \"{}-{}\"",
        env::var("CARGO_CFG_TARGET_OS")?,
        env::var("CARGO_CFG_TARGET_ARCH")?
    );
    let text = fs::read_to_string(versions)?;
    let platform = text
        .split("[[platform]]")
        .find(|part| part.lines().any(|line| line == target));
    let lines = platform
        .and_then(|part| part.split_once("[platform.extensions]"))
        .map(|(_, sums)| sums.lines().take_while(|line| !line.starts_with('[')))
        .into_iter()
        .flatten();
    let sums: Vec<String> = lines
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, sum)| format!("{name}={}", sum.trim_matches('"')))
        .collect();
    Ok(sums.join(","))
}

/// The value of `engine_version` in the version table. One key of a file of ours: no parser is worth its build time here.
fn engine_version(versions: &Path) -> Result<String, Box<dyn Error>> {
    let text =
        fs::read_to_string(versions).map_err(|error| format!("{}: {error}", versions.display()))?;
    text.lines()
        .find_map(|line| {
            line.strip_prefix("engine_version")?
                .trim()
                .strip_prefix('=')?
                .trim()
                .strip_prefix('"')?
                .strip_suffix('"')
        })
        .map(str::to_owned)
        .ok_or_else(|| format!("{}: no line `engine_version = \"…\"`", versions.display()).into())
}
