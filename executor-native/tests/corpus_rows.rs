//! What the corpus' runs leave in a real lake: writes and compares the `.rows.snap` of every case
//! whose `.options.json` has `runs`.
//!
//! It goes through the command, so that what is compared is what a user gets.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use parity_corpus::{Case, CaseRun, read_case};
use serde_json::Value;

fn lakemill(project: &Path, arguments: &[&str]) -> datatest_stable::Result<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_lakemill"))
        .arg("-C")
        .arg(project)
        .args(arguments)
        .arg("--json")
        .output()?;
    let stdout = String::from_utf8(output.stdout)?;
    let said: Value = serde_json::from_str(&stdout).map_err(|error| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        format!("{arguments:?} printed no JSON ({error}): {stdout}{stderr}")
    })?;
    // What could not be carried out at all.
    match said.get("error") {
        Some(error) => Err(format!("{arguments:?}: {error}").into()),
        None => Ok(said),
    }
}

fn run(
    project: &Path,
    case: &Case,
    run: &CaseRun,
    shown: &mut String,
) -> datatest_stable::Result<()> {
    let text = run
        .replace
        .iter()
        .fold(case.text.clone(), |text, (from, to)| {
            assert!(text.contains(from.as_str()), "nothing to replace: {from}");
            text.replace(from.as_str(), to)
        });
    std::fs::write(project.join("pipelines/case.sql"), text)?;
    let mut arguments = vec!["run", "pipelines/case.sql"];
    let partition = run
        .partition
        .as_ref()
        .map(|value| format!("--partition={value}"));
    arguments.extend(partition.as_deref());
    let reply = lakemill(project, &arguments)?;
    let report = &reply["runs"][0];
    let summary = &report["summary"];
    write!(shown, "run")?;
    if let Some(value) = &run.partition {
        write!(shown, " [{value}]")?;
    }
    writeln!(
        shown,
        ": {}",
        report["status"].as_str().unwrap_or("no report")
    )?;
    for field in [
        "strategy",
        "rows",
        "rowsInserted",
        "rowsDeleted",
        "versionsClosed",
        "schemaDrift",
        "warnings",
    ] {
        if !summary[field].is_null() {
            writeln!(shown, "  {field}: {}", summary[field])?;
        }
    }
    for test in summary["dataTests"].as_array().into_iter().flatten() {
        writeln!(shown, "  test {test}")?;
    }
    if let Some(message) = report["error"]["message"].as_str() {
        let code = report["error"]["code"]
            .as_str()
            .map(|code| format!(" {code}"));
        let (code, message) = (code.unwrap_or_default(), message.replace('\n', "\n    "));
        writeln!(shown, "  error{code}: {message}")?;
    }
    let range = &report["error"]["range"];
    if !range.is_null() {
        writeln!(
            shown,
            "  at {}:{}",
            range["startLine"], range["startColumn"]
        )?;
    }
    for test in report["error"]["dataTests"]
        .as_array()
        .into_iter()
        .flatten()
    {
        writeln!(shown, "  test {test}")?;
    }
    Ok(())
}

fn rows(project: &Path, target: &str, shown: &mut String) -> datatest_stable::Result<()> {
    let history = lakemill(project, &["history", target]);
    let snapshots = history.map_or(0, |entries| {
        let entries = entries.as_array().cloned().unwrap_or_default();
        entries
            .iter()
            .filter(|entry| !entry["snapshot"].is_null())
            .count()
    });
    writeln!(shown, "snapshots: {snapshots}")?;
    let Ok(preview) = lakemill(project, &["preview", target, "--limit", "1000"]) else {
        writeln!(shown, "no table")?;
        return Ok(());
    };
    for column in preview["columns"].as_array().into_iter().flatten() {
        writeln!(
            shown,
            "column {} {}",
            column["name"],
            column["type"].as_str().unwrap_or("?")
        )?;
    }
    let rows = preview["rows"].as_array().cloned().unwrap_or_default();
    list(&rows, &rows, shown)?;
    if rows.iter().any(|row| !row["valid_from"].is_null()) {
        let view = format!("{target}_current");
        let current = lakemill(project, &["preview", &view, "--limit", "1000"])?;
        writeln!(shown, "{view}")?;
        list(
            current["rows"].as_array().map_or(&[], Vec::as_slice),
            &rows,
            shown,
        )?;
    }
    Ok(())
}

/// Rows in the order of their texts. The times of a history are numbered in the order in which they stand in `all`.
fn list(rows: &[Value], all: &[Value], shown: &mut String) -> std::fmt::Result {
    const TIMES: [&str; 2] = ["valid_from", "valid_to"];
    let times: BTreeSet<&str> = all
        .iter()
        .flat_map(|row| TIMES.map(|column| row[column].as_str()))
        .flatten()
        .collect();
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let mut row = row.clone();
            for column in TIMES {
                if let Some(at) = times.iter().position(|time| row[column] == **time) {
                    row[column] = Value::from(format!("t{}", at + 1));
                }
            }
            row.to_string()
        })
        .collect();
    lines.sort();
    lines.iter().try_for_each(|line| writeln!(shown, "{line}"))
}

fn case(path: &Path) -> datatest_stable::Result<()> {
    let case = read_case(path)?;
    if case.options.runs.is_empty() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    std::fs::create_dir(folder.path().join("pipelines"))?;
    let mut shown = String::new();
    for step in &case.options.runs {
        run(folder.path(), &case, step, &mut shown)?;
    }
    let script = parser_core::parse(&case.text).script;
    let target = script
        .header
        .materialize
        .ok_or("a case with runs materialises something")?;
    rows(folder.path(), &target.value.asset.value.path, &mut shown)?;

    let mut settings = insta::Settings::clone_current();
    let home = case
        .path
        .parent()
        .map(Path::to_path_buf)
        .unwrap_or_default();
    settings.set_snapshot_path(home.canonicalize()?);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let stem = case
        .path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    settings.bind(|| insta::assert_snapshot!(format!("{stem}.rows"), shown));
    Ok(())
}

datatest_stable::harness! {
    { test = case, root = "../parity-corpus/cases/rows", pattern = r"\.sql$" },
}
