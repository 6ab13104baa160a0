//! `lakemill partitions`

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::asset::named;
use super::failure::Failure;
use super::output::{Output, optional, time};
use super::workspace::Workspace;
use crate::lake::{LakeError, LakeReader};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lakemill partitions demo/flights_daily")]
pub(super) struct Arguments {
    /// `lake/table` or `ducklake://lake/table`
    asset: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A slice, by the records and by the lake.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    partition: String,
    status: Option<&'static str>,
    /// Rows in the lake now.
    rows: Option<i64>,
    snapshot: Option<i64>,
    materialized_at: Option<i64>,
    error: Option<String>,
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let workspace = Workspace::look(directory, output)?;
    let asset = named(&arguments.asset)?;
    let mut lines: BTreeMap<String, Line> = BTreeMap::new();
    for slice in workspace.state.slices(Some(&asset.key))? {
        lines.insert(
            slice.partition.clone(),
            Line {
                partition: slice.partition,
                status: Some(slice.status.as_str()),
                rows: None,
                snapshot: slice.snapshot,
                materialized_at: slice.materialized_at,
                error: slice.error,
            },
        );
    }
    match LakeReader::open(&workspace.project, &asset.table.lake) {
        Ok(reader) => {
            let table = reader.table(&asset.table.schema, &asset.table.table);
            if reader.require(&table).is_ok() && reader.is_partitioned(&table)? {
                for (value, rows) in reader.slices(&table)? {
                    let value = value.unwrap_or_default();
                    let line = lines.entry(value.clone()).or_insert_with(|| Line {
                        partition: value,
                        ..Line::default()
                    });
                    line.rows = Some(rows);
                }
                // The lake was asked for all: a slice that it does not name has none.
                for line in lines.values_mut() {
                    line.rows.get_or_insert(0);
                }
            }
        }
        Err(LakeError::Absent(_)) => {}
        Err(error) => return Err(error.into()),
    }
    lines.remove("");
    if arguments.json {
        return output.json(&lines.into_values().collect::<Vec<_>>());
    }
    if lines.is_empty() {
        return Err(Failure::Failed(format!(
            "`{}` has no partitions",
            arguments.asset
        )));
    }
    output.table(
        &[
            "partition",
            "status",
            "rows",
            "snapshot",
            "materialized (UTC)",
            "error",
        ],
        lines.values().map(|line| {
            vec![
                line.partition.clone(),
                line.status.unwrap_or("not recorded").to_owned(),
                optional(line.rows),
                optional(line.snapshot),
                line.materialized_at.map(time).unwrap_or_default(),
                line.error.clone().unwrap_or_default(),
            ]
        }),
    );
    Ok(())
}
