//! `lakemill history`

use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;

use super::asset::{Named, named};
use super::failure::Failure;
use super::output::{Output, optional, time};
use super::workspace::Workspace;
use crate::lake::{LakeError, LakeReader, Snapshot};
use crate::state::RunRecord;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lakemill history demo/flights_daily --limit 5")]
pub(super) struct Arguments {
    /// `lake/table` or `ducklake://lake/table`
    asset: String,
    /// How many entries, newest first
    #[arg(long, default_value_t = 30)]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A snapshot that touched the asset, or a run that made none.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    snapshot: Option<Snapshot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<RunRecord>,
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let workspace = Workspace::look(directory, output)?;
    let asset = named(&arguments.asset)?;
    let runs = workspace.state.runs(&asset.key, 10_000)?;
    let snapshots = match LakeReader::open(&workspace.project, &asset.table.lake) {
        Ok(reader) => touching(&reader, &asset)?,
        Err(LakeError::Absent(_)) if !runs.is_empty() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let mut entries = merge(snapshots, runs);
    entries.truncate(usize::try_from(arguments.limit).unwrap_or(usize::MAX));
    if arguments.json {
        return output.json(&entries);
    }
    if entries.is_empty() {
        return Err(Failure::Failed(format!(
            "there is no history of `{}`",
            arguments.asset
        )));
    }
    output.table(
        &[
            "snapshot",
            "time (UTC)",
            "partition",
            "strategy",
            "rows",
            "status",
            "author",
            "script",
        ],
        entries.iter().map(row),
    );
    Ok(())
}

/// Snapshots that a run of the asset made, or whose changes name its table.
fn touching(reader: &LakeReader, asset: &Named) -> Result<Vec<Snapshot>, Failure> {
    let table = reader.table(&asset.table.schema, &asset.table.table);
    let id = reader.table_id(&table)?;
    let name = format!("{}.{}", asset.table.schema, asset.table.table).to_lowercase();
    let mut snapshots = reader.snapshots()?;
    snapshots.retain(|snapshot| {
        let ours = snapshot
            .run
            .as_ref()
            .is_some_and(|run| run.asset.eq_ignore_ascii_case(&asset.key.path));
        ours || (snapshot.run.is_none() && names(&snapshot.changes, id, &name))
    });
    Ok(snapshots)
}

/// Whether a map of changes names the table, by the engine's id or as `schema.table`.
fn names(changes: &serde_json::Value, id: Option<i64>, name: &str) -> bool {
    let id = id.map(|id| id.to_string());
    changes
        .as_object()
        .into_iter()
        .flat_map(|map| map.values())
        .filter_map(serde_json::Value::as_array)
        .flatten()
        .any(|value| match value {
            serde_json::Value::String(text) => {
                Some(text) == id.as_ref() || text.replace('"', "").to_lowercase() == name
            }
            other => Some(other.to_string()) == id,
        })
}

fn merge(snapshots: Vec<Snapshot>, runs: Vec<RunRecord>) -> Vec<Entry> {
    let mut by_job: HashMap<String, RunRecord> =
        runs.into_iter().map(|run| (run.job.clone(), run)).collect();
    let mut entries = Vec::with_capacity(snapshots.len());
    for snapshot in snapshots {
        let time = snapshot.time.get(..19).unwrap_or(&snapshot.time);
        let time = time.replace('T', " ");
        let others = snapshot.with.iter().map(|other| &other.job);
        let others: Vec<RunRecord> = others.filter_map(|job| by_job.remove(job)).collect();
        entries.extend(others.into_iter().map(|run| Entry {
            time: time.clone(),
            run: Some(run),
            snapshot: Some(snapshot.clone()),
        }));
        let run = snapshot.run.as_ref();
        entries.push(Entry {
            time,
            run: run.and_then(|run| by_job.remove(&run.job)),
            snapshot: Some(snapshot),
        });
    }
    entries.extend(by_job.into_values().map(|run| Entry {
        time: time(run.started_at),
        snapshot: None,
        run: Some(run),
    }));
    entries.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| id(b).cmp(&id(a))));
    entries
}

fn id(entry: &Entry) -> Option<i64> {
    entry.snapshot.as_ref().map(|snapshot| snapshot.id)
}

fn row(entry: &Entry) -> Vec<String> {
    let info = entry
        .snapshot
        .as_ref()
        .and_then(|snapshot| snapshot.run.as_ref());
    let run = entry.run.as_ref();
    let text = |recorded: Option<&str>, committed: Option<&str>| {
        recorded
            .or(committed)
            .filter(|text| !text.is_empty())
            .unwrap_or("–")
            .to_owned()
    };
    vec![
        optional(id(entry)),
        entry.time.clone(),
        text(
            run.map(|run| run.partition.as_str()),
            info.and_then(|info| info.partition.as_deref()),
        ),
        text(
            run.map(|run| run.strategy.as_str()),
            info.map(|info| info.strategy.as_str()),
        ),
        optional(run.and_then(|run| run.rows)),
        run.map_or("not recorded", |run| run.status.as_str())
            .to_owned(),
        text(
            entry
                .snapshot
                .as_ref()
                .and_then(|snapshot| snapshot.author.as_deref()),
            None,
        ),
        text(
            run.map(|run| run.script.as_str()),
            info.map(|info| info.script.as_str()),
        ),
    ]
}
