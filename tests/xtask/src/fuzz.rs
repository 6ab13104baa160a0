//! The fuzz targets of `tests/fuzz`, on the workspace's own compiler.
//!
//! LLVM's coverage pass is part of every rustc, and libFuzzer is compiled from its crate: neither a nightly toolchain nor
//! cargo-fuzz is needed. There is no AddressSanitizer, which would need one: the code under test forbids `unsafe`.

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::failure::Failure;
use crate::process::Program;
use crate::workspace::{Workspace, create_folder};

/// A workspace of its own.
pub(crate) const MANIFEST: &str = "tests/fuzz/Cargo.toml";
const TARGETS: &str = "tests/fuzz/src/bin";
const WORDS: &str = "tests/fuzz/words.dict";
const CASES: &str = "parity-corpus/cases";

/// What libFuzzer needs to see where the code under test goes.
const FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=16",
];

/// A single input may take this many seconds: a script takes microseconds.
const INPUT_SECONDS: u32 = 5;
const MEGABYTES: u32 = 2048;
/// Longer texts are no richer, and slower.
const BYTES: u32 = 2048;
/// How long a run may go on beyond its time: reading what is known already takes some.
const GRACE: Duration = Duration::from_secs(180);

/// Targets that run at the same time.
const AT_ONCE: usize = 2;

/// How a run draws its inputs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Draw {
    /// Others in every run.
    Afresh,
    /// The same in every run, as far as its length allows: a run of the pipeline says something about the change it checks.
    Alike,
}

/// The names of the targets, in order.
///
/// # Errors
/// When their folder cannot be read.
pub(crate) fn targets(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let folder = workspace.path(TARGETS);
    let entries = fs::read_dir(&folder).map_err(|error| Failure::file("list", &folder, &error))?;
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// Runs targets, each for some seconds and prints how far each came.
///
/// # Errors
/// When one cannot be built, or an input breaks a property: where it lies, and how to run it again.
pub(crate) fn run(
    workspace: &Workspace,
    names: &[String],
    seconds: u64,
    draw: Draw,
) -> Result<(), Failure> {
    build(workspace)?;
    let seeds = seeds(workspace)?;
    let waiting = Mutex::new(names.iter());
    let next = || {
        waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .next()
    };
    let work = || {
        let mut ended = Ok(());
        while let Some(name) = next() {
            ended = ended.and(one(workspace, name, &seeds, seconds, draw));
        }
        ended
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        // All are waited for before one is found to have failed: the next target is no victim of the last.
        let ended: Vec<Result<(), Failure>> = workers
            .into_iter()
            .map(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|cause| panic::resume_unwind(cause))
            })
            .collect();
        ended.into_iter().collect()
    })
}

/// Runs one target on one input, with a backtrace.
///
/// # Errors
/// When the input breaks a property.
pub(crate) fn again(workspace: &Workspace, name: &str, input: &Path) -> Result<(), Failure> {
    build(workspace)?;
    Program::new(program(workspace, name)?)
        .arg(input)
        .env("RUST_BACKTRACE", "1")
        .show()
}

fn build(workspace: &Workspace) -> Result<(), Failure> {
    workspace
        .cargo("build")
        .args(["--release", "--bins", "--manifest-path", MANIFEST])
        // With a target, cargo keeps the flags away from build scripts, which link without libFuzzer.
        .args(["--target", &host()?])
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"))
        .env("CARGO_TARGET_DIR", workspace.target("fuzz"))
        .show()
}

fn host() -> Result<String, Failure> {
    Program::new("rustc")
        .arg("-vV")
        .capture()?
        .lines()
        .find_map(|line| line.strip_prefix("host: ").map(str::to_owned))
        .ok_or_else(|| Failure::new("`rustc -vV` names no host"))
}

fn program(workspace: &Workspace, name: &str) -> Result<PathBuf, Failure> {
    Ok(workspace.target(&format!(
        "fuzz/{}/release/{name}{}",
        host()?,
        std::env::consts::EXE_SUFFIX
    )))
}

/// The cases of the corpus in one folder: libFuzzer would take their snapshots for texts too.
fn seeds(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let folder = workspace.target("fuzz/seeds");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| Failure::file("delete", &folder, &error))?;
    }
    create_folder(&folder)?;
    let cases = crate::checks::files_below(&workspace.path(CASES))?;
    let scripts = cases
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"));
    for (number, case) in scripts.enumerate() {
        let seed = folder.join(format!("{number:04}.sql"));
        fs::copy(case, &seed).map_err(|error| Failure::file("write", &seed, &error))?;
    }
    Ok(folder)
}

fn one(
    workspace: &Workspace,
    name: &str,
    seeds: &Path,
    seconds: u64,
    draw: Draw,
) -> Result<(), Failure> {
    let corpus = workspace.target(&format!("fuzz/corpus/{name}"));
    let finds = workspace.target(&format!("fuzz/finds/{name}"));
    create_folder(&corpus)?;
    create_folder(&finds)?;
    let log = workspace.target(&format!("fuzz/{name}.log"));
    let seed = match draw {
        Draw::Afresh => 0,
        Draw::Alike => 1,
    };
    let ended = Program::new(program(workspace, name)?)
        .arg(corpus)
        .arg(seeds)
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-seed={seed}"))
        .arg(format!("-timeout={INPUT_SECONDS}"))
        .arg(format!("-rss_limit_mb={MEGABYTES}"))
        .arg(format!("-max_len={BYTES}"))
        .arg(format!("-dict={}", workspace.path(WORDS).display()))
        .arg(format!("-artifact_prefix={}/", finds.display()))
        .arg("-print_final_stats=1")
        .env("RUST_BACKTRACE", "0")
        .quiet_within(Duration::from_secs(seconds) + GRACE, &log);
    let printed = fs::read(&log).unwrap_or_default();
    let printed = String::from_utf8_lossy(&printed);
    println!("fuzz   {name}: {}", summary(&printed));
    ended.map_err(|failure| {
        let mend = written(&printed).map_or_else(
            || format!("read {}", log.display()),
            |input| format!("`cargo xtask fuzz {name} {input}` runs this input again"),
        );
        failure.mend(mend)
    })
}

/// How many inputs a log speaks of, and how many places of the code they reached.
fn summary(log: &str) -> String {
    let after = |mark: &str| {
        let (_, rest) = log.rsplit_once(mark)?;
        rest.split_whitespace().next()
    };
    format!(
        "{} inputs, {} places",
        after("stat::number_of_executed_units:").unwrap_or("no"),
        after("cov:").unwrap_or("no")
    )
}

/// The file that libFuzzer wrote the input to which broke a property.
fn written(log: &str) -> Option<&str> {
    let (_, rest) = log.rsplit_once("Test unit written to ")?;
    rest.lines().next().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "#9 NEW    cov: 4552 ft: 13266 corp: 477/54Kb\n#10 DONE   cov: 4553 ft: 9\nartifact_prefix='x/'; \
        Test unit written to x/crash-1\nstat::number_of_executed_units: 915\n";

    #[test]
    fn reads_what_the_fuzzer_prints() {
        assert_eq!(summary(LOG), "915 inputs, 4553 places");
        assert_eq!(written(LOG), Some("x/crash-1"));
        assert_eq!(summary(""), "no inputs, no places");
        assert_eq!(written(""), None);
    }
}
