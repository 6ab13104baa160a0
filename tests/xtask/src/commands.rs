//! The commands, each a short list of set-up steps and checks.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::checks::{self, Check};
use crate::failure::Failure;
use crate::fuzz::{self, Draw};
use crate::npm_package;
use crate::process::Program;
use crate::setup;
use crate::workspace::Workspace;

pub(crate) const HELP: &str = "\
cargo xtask <command>

  demo            fetch what is missing, build lakemill and run its demonstration (arguments go to `lakemill demo`)
  setup [main]    only fetch what building and running lakemill needs, and build it
  setup test      also fetch what the tests need
  quick           inner loop: format, clippy, tests of the core and of the corpus
  test [WORD…]    every check, in the order of the pipeline, or only those with one of the words in their name
  fuzz [TARGET] [SECONDS]
                  run the fuzz targets, or one of them, for so many seconds each (default 600); a file in place of SECONDS is
                  run again as the target's only input
  wasm            build the npm package @lakemill/parser into parser-wasm/npm/dist
  help            this text

Downloaded tools are kept in $LAKEMILL_CACHE (default ~/.cache/lakemill), for all clones on this machine.
tests/xtask/versions.toml says which versions, and .toolchain/ holds what the build links to.
";

/// Builds lakemill with as little as possible on the machine and shows it at work.
pub(crate) fn demo(workspace: &Workspace, arguments: &[&str]) -> Result<(), Failure> {
    setup_main(workspace)?;
    println!("run    lakemill demo\n");
    Program::new(workspace.lakemill("release"))
        .arg("demo")
        .args(arguments)
        .folder(&workspace.path(""))
        .show()
}

/// The release build comes before the extensions, since lakemill itself can fetch them.
pub(crate) fn setup_main(workspace: &Workspace) -> Result<(), Failure> {
    setup::ensure(workspace, setup::LINK)?;
    println!("build  lakemill, release profile (minutes the first time)");
    workspace
        .cargo("build")
        .args(["--release", "--package", "executor-native"])
        .show()?;
    setup::ensure(workspace, setup::MAIN)
}

/// Everything that [`test()`] needs. No release build: the tests run in the dev profile.
pub(crate) fn setup_test(workspace: &Workspace) -> Result<(), Failure> {
    setup::ensure(workspace, setup::MAIN)?;
    setup::ensure(workspace, setup::TEST)
}

/// All checks, or those with one of `words` in their name.
pub(crate) fn test(workspace: &Workspace, words: &[&str]) -> Result<(), Failure> {
    let start = Instant::now();
    let chosen: Vec<&Check> = checks::ALL
        .iter()
        .filter(|check| words.is_empty() || words.iter().any(|word| check.name.contains(word)))
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = checks::ALL.iter().map(|check| check.name).collect();
        return Err(
            Failure::new(format!("no check has {} in its name", words.join(" or ")))
                .mend(format!("choose among: {}", names.join("; "))),
        );
    }
    setup_test(workspace)?;
    checks::run(workspace, &chosen)?;
    println!(
        "all {} checks passed in {} s",
        chosen.len(),
        start.elapsed().as_secs()
    );
    Ok(())
}

/// The checks of the inner loop.
pub(crate) fn quick(workspace: &Workspace) -> Result<(), Failure> {
    setup::ensure(workspace, setup::LINK)?;
    checks::run(workspace, &checks::QUICK.iter().collect::<Vec<_>>())
}

/// `[TARGET] [SECONDS]`, or `TARGET FILE`.
pub(crate) fn fuzz(workspace: &Workspace, words: &[&str]) -> Result<(), Failure> {
    const SECONDS: u64 = 600;
    let known = fuzz::targets(workspace)?;
    let unknown = |word: &str| {
        Failure::new(format!("`{word}` is neither a fuzz target nor a number"))
            .mend(format!("choose among: {}", known.join("; ")))
    };
    let (names, rest) = match words {
        [name, rest @ ..] if known.iter().any(|known| known == name) => {
            (vec![(*name).to_owned()], rest)
        }
        rest => (known.clone(), rest),
    };
    setup::ensure(workspace, setup::FUZZ)?;
    match (names.as_slice(), rest) {
        (names, []) => fuzz::run(workspace, names, SECONDS, Draw::Afresh),
        ([name], [file]) if Path::new(file).is_file() => {
            fuzz::again(workspace, name, &absolute(file)?)
        }
        (names, [word]) => {
            let seconds = word.parse().map_err(|_| unknown(word))?;
            fuzz::run(workspace, names, seconds, Draw::Afresh)
        }
        (_, [_, word, ..]) => Err(unknown(word)),
    }
}

fn absolute(file: &str) -> Result<PathBuf, Failure> {
    std::path::absolute(file).map_err(|error| Failure::file("find", Path::new(file), &error))
}

/// The npm package.
pub(crate) fn wasm(workspace: &Workspace) -> Result<(), Failure> {
    setup::ensure(workspace, setup::WASM)?;
    checks::run(workspace, &[&Check::new("npm package", npm_package::build)])
}
