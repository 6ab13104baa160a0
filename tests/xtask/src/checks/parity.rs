//! The corpus through the wasm module: what the editor says has to be what the worker says.

use super::snapshots::files_below;
use super::website;
use crate::failure::Failure;
use crate::npm_package;
use crate::process::Program;
use crate::workspace::Workspace;

/// Node, against the package as it is installed from its tarball.
pub(super) fn node(workspace: &Workspace) -> Result<(), Failure> {
    let runner = Program::new("node").arg(workspace.path("tests/wasm-node/run.mjs"));
    compare(workspace, runner)?;
    generated(workspace)
}

/// Texts that nobody wrote down, of a fixed seed; the native side generates them, and says what Node has to say.
fn generated(workspace: &Workspace) -> Result<(), Failure> {
    workspace
        .cargo("build")
        .args([
            "--quiet",
            "--package",
            "parity-corpus",
            "--bin",
            "generated",
        ])
        .show()?;
    let native = format!("debug/generated{}", std::env::consts::EXE_SUFFIX);
    Program::new("node")
        .arg(workspace.path("tests/wasm-node/generated.mjs"))
        .arg("--native")
        .arg(workspace.target(&native))
        .arg("--package-in")
        .arg(npm_package::consumer(workspace))
        .show()
}

/// Chromium, against the same package.
pub(super) fn browser(workspace: &Workspace) -> Result<(), Failure> {
    compare(
        workspace,
        website::in_browser(workspace, "tests/browser/corpus.mjs")?,
    )
}

fn compare(workspace: &Workspace, runner: Program) -> Result<(), Failure> {
    let output = runner
        .arg("--package-in")
        .arg(npm_package::consumer(workspace))
        .arg("--cases")
        .arg(workspace.path("parity-corpus/cases"))
        .capture()?;
    print!("{output}");
    let seen = output
        .lines()
        .find_map(|line| line.strip_suffix(" cases")?.parse::<usize>().ok())
        .ok_or_else(|| Failure::new("the runner did not print how many cases it saw"))?;
    let expected = count_cases(workspace)?;
    if seen != expected {
        return Err(Failure::new(format!(
            "the runner saw {seen} cases, the native harness sees {expected}"
        ))
        .mend("both have to walk parity-corpus/cases/**/*.sql"));
    }
    Ok(())
}

/// The number of cases as the native harness counts them.
fn count_cases(workspace: &Workspace) -> Result<usize, Failure> {
    if workspace.path("parity-corpus/src/bin/cases.rs").is_file() {
        let printed = workspace
            .cargo("run")
            .args([
                "--quiet",
                "--package",
                "parity-corpus",
                "--bin",
                "cases",
                "--",
                "--count",
            ])
            .capture()?;
        return printed.trim().parse().map_err(|_| {
            Failure::new(format!("`cases --count` printed {printed:?}, not a number"))
        });
    }
    let files = files_below(&workspace.path("parity-corpus/cases"))?;
    Ok(files
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .count())
}
