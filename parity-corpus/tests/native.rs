//! The native harness: writes and compares the snapshots of every case.
//!
//! It finds new files without being compiled again.

use std::path::Path;

use parity_corpus::{Case, read_case, snapshot};

fn settings(case: &Case) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    let folder = case
        .path
        .parent()
        .map_or_else(parity_corpus::root, Path::to_path_buf);
    settings.set_snapshot_path(folder.canonicalize().unwrap_or(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

fn case(path: &Path) -> datatest_stable::Result<()> {
    let case = read_case(path)?;
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    settings(&case).bind(|| {
        insta::assert_snapshot!(format!("{stem}.parse"), snapshot::parse(&case));
        insta::assert_snapshot!(format!("{stem}.diag"), snapshot::diagnostics(&case));
        if let Some(plan) = snapshot::plan(&case) {
            insta::assert_snapshot!(format!("{stem}.plan"), snapshot::json(&plan));
            insta::assert_snapshot!(format!("{stem}.sql"), plan.sql());
        }
    });
    Ok(())
}

datatest_stable::harness! {
    { test = case, root = "cases", pattern = r"\.sql$" },
}
