//! The version table, `tests/xtask/versions.toml`, and the versions that `Cargo.lock` has settled.

use std::collections::BTreeMap;
use std::env::consts;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::failure::Failure;

/// Everything that is fetched, with its version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Versions {
    /// The engine's own version, `1.5.5`: also a folder name in the extension directory.
    pub(crate) engine_version: String,
    pub(crate) library: Library,
    #[serde(rename = "platform")]
    platforms: Vec<Platform>,
    pub(crate) extensions: Extensions,
    pub(crate) tools: Tools,
}

/// The engine's prebuilt library, an npm package.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Library {
    pub(crate) package_version: String,
}

/// What the parts are called on one operating system and processor.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Platform {
    /// As Rust names them: `linux-x86_64`.
    target: String,
    /// As the engine names them: `linux_amd64`.
    pub(crate) duckdb: String,
    /// The npm package with the library.
    pub(crate) package: String,
    /// The library's file name.
    pub(crate) file: String,
    /// The library's checksum, if somebody has tried this platform.
    pub(crate) sha256: Option<String>,
    /// The platform tag of the Python packages.
    pub(crate) wheel: String,
    /// Extension name to checksum, if somebody has tried this platform.
    #[serde(default, rename = "extensions")]
    pub(crate) extension_sums: BTreeMap<String, String>,
}

/// The engine's extensions, Python packages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Extensions {
    pub(crate) package_version: String,
    /// Extensions that the library can do without a file.
    pub(crate) built_in: Vec<String>,
    /// Extension name to Python package name.
    pub(crate) packages: BTreeMap<String, String>,
    /// The same for those that only tests load.
    pub(crate) test_packages: BTreeMap<String, String>,
}

/// Tools of the tests.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tools {
    pub(crate) wasm_pack: String,
    pub(crate) binaryen: String,
    pub(crate) cargo_deny: String,
    pub(crate) s3s_fs: String,
}

impl Versions {
    /// Reads the table.
    ///
    /// # Errors
    /// When it cannot be read or does not have the expected keys.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
        toml::from_str(&text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
    }

    /// The row of the machine that this runs on.
    ///
    /// # Errors
    /// When the table has none.
    pub(crate) fn platform(&self) -> Result<&Platform, Failure> {
        let here = format!("{}-{}", consts::OS, consts::ARCH);
        self.platforms.iter().find(|platform| platform.target == here).ok_or_else(|| {
            Failure::new(format!("no prebuilt engine library is known for {here}"))
                .mend("compile the engine instead (`cargo build --release -p executor-native --features bundled`), or add a row to tests/xtask/versions.toml")
        })
    }
}

/// The version of a crate in `Cargo.lock`.
///
/// # Errors
/// When the file cannot be read or does not hold the crate.
pub(crate) fn locked(lock_file: &Path, crate_name: &str) -> Result<String, Failure> {
    #[derive(Deserialize)]
    struct Lock {
        package: Vec<Package>,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
        version: String,
    }

    let text =
        fs::read_to_string(lock_file).map_err(|error| Failure::file("read", lock_file, &error))?;
    let lock: Lock = toml::from_str(&text)
        .map_err(|error| Failure::new(format!("{}: {error}", lock_file.display())))?;
    lock.package
        .into_iter()
        .find(|package| package.name == crate_name)
        .map(|package| package.version)
        .ok_or_else(|| {
            Failure::new(format!(
                "{} does not hold {crate_name}",
                lock_file.display()
            ))
            .mend("run `cargo metadata` to renew it")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Versions {
        Versions::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("versions.toml")).unwrap()
    }

    #[test]
    fn every_platform_is_listed_once() {
        let mut targets: Vec<String> = table()
            .platforms
            .into_iter()
            .map(|platform| platform.target)
            .collect();
        targets.sort();
        assert_eq!(
            targets,
            [
                "linux-aarch64",
                "linux-x86_64",
                "macos-aarch64",
                "macos-x86_64",
                "windows-x86_64"
            ]
        );
    }

    #[test]
    fn a_platform_with_checksums_has_them_for_every_extension() {
        let versions = table();
        for platform in versions
            .platforms
            .iter()
            .filter(|platform| platform.sha256.is_some())
        {
            let with_sum: Vec<&String> = platform.extension_sums.keys().collect();
            let extensions = &versions.extensions;
            let mut names: Vec<&String> = extensions.packages.keys().collect();
            names.extend(extensions.test_packages.keys());
            names.sort();
            assert_eq!(with_sum, names, "{}", platform.target);
        }
    }

    #[test]
    fn the_engine_crate_is_of_the_engine_version() {
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
        let crate_version = locked(&lock, "libduckdb-sys").unwrap();
        // The crates write DuckDB 1.5.5 as 1.10505.x: major, minor and patch in two digits each, after a one.
        let minor = crate_version.split('.').nth(1).unwrap();
        let digits: u32 = minor.parse().unwrap();
        let engine = format!(
            "{}.{}.{}",
            digits / 10_000,
            digits / 100 % 100,
            digits % 100
        );
        assert_eq!(engine, table().engine_version);
    }
}
