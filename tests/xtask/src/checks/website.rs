//! The page of web-demo: its sources, and the built page as a person uses it.

use crate::failure::Failure;
use crate::process::Program;
use crate::setup::browser;
use crate::setup::node_project::WEB_DEMO;
use crate::workspace::Workspace;

/// The types of the Monaco adapter too, which lies in the npm package but is written against Monaco.
pub(super) fn sources(workspace: &Workspace) -> Result<(), Failure> {
    script(workspace, "check")
}

pub(super) fn build(workspace: &Workspace) -> Result<(), Failure> {
    script(workspace, "build")
}

pub(super) fn page(workspace: &Workspace) -> Result<(), Failure> {
    in_browser(workspace, "tests/browser/page.mjs")?.show()
}

/// A script of Node that drives the browser.
///
/// # Errors
/// When there is no browser.
pub(super) fn in_browser(workspace: &Workspace, script: &str) -> Result<Program, Failure> {
    let browser = browser::program()
        .ok_or_else(|| Failure::new("no browser").mend("run `cargo xtask setup test`"))?;
    Ok(Program::new("node")
        .arg(workspace.path(script))
        .env("LAKEMILL_CHROMIUM", browser))
}

fn script(workspace: &Workspace, name: &str) -> Result<(), Failure> {
    Program::npm(&workspace.path(WEB_DEMO))
        .args(["run", "--silent", name])
        .show()
}
