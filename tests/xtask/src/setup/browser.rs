//! A browser for the tests of the page: one that is there, else Debian's Chromium.

use std::env;
use std::path::PathBuf;

use super::{Step, debian};
use crate::failure::Failure;
use crate::process::find;

pub(super) const STEP: Step = Step {
    name: "Chromium",
    is_done: |_| program().is_some(),
    run: |_| install(),
    mend: "install Chromium or Chrome, and set LAKEMILL_CHROMIUM to the program",
};

/// Without recommended packages Debian's Chromium has no font at all.
const DEBIAN_PACKAGES: &[&str] = &["chromium", "fonts-liberation"];

/// The browser, unless there is none.
pub(crate) fn program() -> Option<PathBuf> {
    if let Some(chosen) = env::var_os("LAKEMILL_CHROMIUM") {
        return Some(PathBuf::from(chosen)).filter(|path| path.is_file());
    }
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find_map(find)
        .or_else(|| {
            let mac = PathBuf::from("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
            mac.is_file().then_some(mac)
        })
}

fn install() -> Result<String, Failure> {
    if !debian::is_available() {
        return Err(Failure::new("no Chromium and no apt to install it with"));
    }
    debian::install(DEBIAN_PACKAGES)?;
    Ok("Debian's".to_owned())
}
