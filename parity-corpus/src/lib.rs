//! The shared cases of the parser and the planner, and how they are found.
//!
//! A case is one file `cases/<area>/<behaviour>.sql`. Beside it lie its snapshots, written by the
//! native harness alone and compared by every other target:
//!
//! | file | what |
//! |---|---|
//! | `<case>.parse.snap` | the wire form of the script with all its diagnostics, pretty JSON |
//! | `<case>.diag.snap` | its diagnostics as text, one paragraph each |
//! | `<case>.plan.snap`, `<case>.sql.snap` | the plan as pretty JSON and as SQL, when `<case>.options.json` has `plan` |
//! | `<case>.graph.snap` | the graph of the case and the other scripts in `files`, with what is wrong between them |
//! | `<case>.editor.snap` | what an editor asks: `complete`, `hover`, `columns`, `definitions`, `tokens` |
//! | `<case>.rows.snap` | what the runs of `<case>.options.json` leave in a real lake, when it has `runs` |
//!
//! A place in a case's text is written as a part of the text with a `|` where the cursor stands:
//! `"key=|"` is the place behind the first `key=`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use parser_core::wire::{CompletionContext, PlanOptions};
use serde::Deserialize;

pub mod editor;
pub mod fixes;
pub mod generate;
pub mod properties;
pub mod ranges;
pub mod snapshot;
pub mod sql;

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// `<area>/<behaviour>`
    pub name: String,
    /// Its `.sql` file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Its `.options.json`, or the default.
    pub options: CaseOptions,
}

/// What a case's `.options.json` says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CaseOptions {
    /// Plan it, against these surroundings.
    pub plan: Option<PlanOptions>,
    /// Run it on a real lake, in this order.
    pub runs: Vec<CaseRun>,
    /// Other scripts of its project by path, as lines. The case itself is `case.sql` among them.
    pub files: BTreeMap<String, Vec<String>>,
    /// What may be written at these places.
    pub complete: Vec<String>,
    /// What completion may offer beyond the text, and what is known of columns.
    pub context: CompletionContext,
    /// What is to say about these places.
    pub hover: Vec<String>,
    /// What the columns at these places are computed from.
    pub columns: Vec<String>,
    /// Where the names at these places are defined.
    pub definitions: Vec<String>,
    /// The semantic tokens of the text.
    pub tokens: bool,
}

/// One run of a case on a real lake.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CaseRun {
    /// The partition to write.
    pub partition: Option<String>,
    /// Replacements in the script's text before this run: `[from, to]` pairs.
    pub replace: Vec<(String, String)>,
}

/// The folder of the cases.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

/// All case files, in path order.
#[must_use]
pub fn case_files() -> Vec<PathBuf> {
    walkdir::WalkDir::new(root())
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .collect()
}

/// Reads one case.
///
/// # Errors
/// What is wrong with its files, with the path.
pub fn read_case(path: &Path) -> Result<Case, String> {
    let at = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| at(&error))?;
    let options_path = path.with_extension("options.json");
    let options = match std::fs::read_to_string(&options_path) {
        Ok(json) => serde_json::from_str(&json).map_err(|error| at(&error))?,
        Err(_) => CaseOptions::default(),
    };
    let name = path.strip_prefix(root()).unwrap_or(path).with_extension("");
    Ok(Case {
        name: name.to_string_lossy().replace('\\', "/"),
        path: path.to_owned(),
        text,
        options,
    })
}
