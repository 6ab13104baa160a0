//! `lakemill status`

use std::collections::BTreeMap;
use std::path::Path;

use super::failure::Failure;
use super::output::{Output, age, optional};
use super::workspace::Workspace;
use crate::state::{SliceRecord, Status, now_ms};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lakemill status\n  lakemill status --json")]
pub(super) struct Arguments {
    /// Print every slice's record as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let workspace = Workspace::look(directory, output)?;
    let slices = workspace.state.slices(None)?;
    if arguments.json {
        return output.json(&slices);
    }
    if slices.is_empty() {
        output.line("nothing has been materialised yet: `lakemill run`");
        return Ok(());
    }
    let mut assets: BTreeMap<String, Vec<&SliceRecord>> = BTreeMap::new();
    for slice in &slices {
        assets
            .entry(format!("{}://{}", slice.asset.kind, slice.asset.path))
            .or_default()
            .push(slice);
    }
    let now = now_ms();
    output.table(
        &[
            "asset",
            "status",
            "partitions",
            "rows",
            "snapshot",
            "age",
            "error",
        ],
        assets
            .iter()
            .map(|(asset, slices)| line(asset, slices, now)),
    );
    Ok(())
}

fn line(asset: &str, slices: &[&SliceRecord], now: i64) -> Vec<String> {
    let partitions = slices.iter().filter(|slice| !slice.partition.is_empty());
    let partitions = partitions.count();
    let rows: Vec<i64> = slices.iter().filter_map(|slice| slice.rows).collect();
    let latest = slices
        .iter()
        .filter_map(|slice| slice.materialized_at)
        .max();
    let failed = slices.iter().find(|slice| slice.status == Status::Failed);
    vec![
        asset.to_owned(),
        status(slices),
        if partitions > 0 {
            partitions.to_string()
        } else {
            String::new()
        },
        optional((!rows.is_empty()).then(|| rows.iter().sum())),
        optional(slices.iter().filter_map(|slice| slice.snapshot).max()),
        latest.map_or_else(|| "–".to_owned(), |at| age(at, now)),
        failed
            .and_then(|slice| slice.error.as_deref())
            .and_then(|error| error.lines().next())
            .unwrap_or_default()
            .to_owned(),
    ]
}

/// One word when all slices agree, else how many of each.
fn status(slices: &[&SliceRecord]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for slice in slices {
        *counts.entry(slice.status.as_str()).or_default() += 1;
    }
    match counts.len() {
        1 => counts.keys().copied().collect(),
        _ => counts
            .iter()
            .map(|(status, count)| format!("{count} {status}"))
            .collect::<Vec<_>>()
            .join(", "),
    }
}
