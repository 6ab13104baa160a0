//! The npm packages of folders that have a `package-lock.json`.

use super::Step;
use crate::failure::Failure;
use crate::process::Program;
use crate::workspace::{Workspace, is_newer};

pub(crate) const WEB_DEMO: &str = "web-demo";
pub(crate) const BROWSER_TESTS: &str = "tests/browser";

pub(super) const WEB_DEMO_PACKAGES: Step = Step {
    name: "npm packages of web-demo",
    is_done: |workspace| is_done(workspace, WEB_DEMO),
    run: |workspace| install(workspace, WEB_DEMO),
    mend: MEND,
};

pub(super) const BROWSER_TEST_PACKAGES: Step = Step {
    name: "npm packages of tests/browser",
    is_done: |workspace| is_done(workspace, BROWSER_TESTS),
    run: |workspace| install(workspace, BROWSER_TESTS),
    mend: MEND,
};

const MEND: &str = "make the npm registry reachable";

/// npm writes a lock file of its own into the folder, last.
fn is_done(workspace: &Workspace, project: &str) -> bool {
    let folder = workspace.path(project);
    is_newer(
        &folder.join("node_modules/.package-lock.json"),
        &folder.join("package-lock.json"),
    )
}

fn install(workspace: &Workspace, project: &str) -> Result<String, Failure> {
    let folder = workspace.path(project);
    Program::npm(&folder)
        .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
        .quiet()?;
    Ok("npm ci".to_owned())
}
