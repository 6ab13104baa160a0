//! The native harness: writes and compares the snapshots of every case.
//!
//! It finds new files without being compiled again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use parity_corpus::{Case, case_files, editor, fixes, read_case, snapshot};
use parser_core::diagnostic::Code;

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
    let editor = editor::answers(&case)?;
    settings(&case).bind(|| {
        insta::assert_snapshot!(format!("{stem}.parse"), snapshot::parse(&case));
        insta::assert_snapshot!(format!("{stem}.diag"), snapshot::diagnostics(&case));
        if let Some(plan) = snapshot::plan(&case) {
            insta::assert_snapshot!(format!("{stem}.plan"), snapshot::json(&plan));
            insta::assert_snapshot!(format!("{stem}.sql"), plan.sql());
        }
        if let Some(graph) = snapshot::graph(&case) {
            insta::assert_snapshot!(format!("{stem}.graph"), snapshot::json(&graph));
        }
        if let Some(editor) = editor {
            insta::assert_snapshot!(format!("{stem}.editor"), snapshot::json(&editor));
        }
    });
    fixes::check(&case)?;
    Ok(())
}

/// A code without a case has a rule that no target is held to.
fn every_code_has_a_case(_registry: &Path) -> datatest_stable::Result<()> {
    let mut seen = BTreeSet::new();
    for path in case_files() {
        seen.extend(snapshot::codes(&read_case(&path)?));
        // What only a run can tell.
        let rows = fs::read_to_string(path.with_extension("rows.snap")).unwrap_or_default();
        let codes = Code::ALL.iter().map(|code| code.info().id);
        seen.extend(codes.filter(|id| rows.contains(id)).map(str::to_owned));
    }
    let missing: Vec<&str> = Code::ALL
        .iter()
        .map(|code| code.info().id)
        .filter(|id| !seen.contains(*id))
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("codes without a case: {}", missing.join(", ")).into())
    }
}

datatest_stable::harness! {
    { test = case, root = "cases", pattern = r"\.sql$" },
    // Once, not per file: the file that it is run for is the one that holds the rule.
    { test = every_code_has_a_case, root = "tests", pattern = r"native\.rs$" },
}
