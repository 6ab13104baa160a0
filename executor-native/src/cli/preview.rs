//! `lakemill preview`

use std::path::Path;

use super::asset::{named, qualified};
use super::failure::Failure;
use super::output::Output;
use crate::config::Project;
use crate::engine::question::At;
use crate::lake::LakeReader;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lakemill preview demo/flights_daily\n  lakemill preview demo/airports --version 3 --limit 50\n  lakemill preview demo/airports --at '2026-06-19 12:00:00'"
)]
pub(super) struct Arguments {
    /// `lake/table` or `ducklake://lake/table`
    asset: String,
    /// At this snapshot
    #[arg(long, value_name = "SNAPSHOT", conflicts_with = "at")]
    version: Option<i64>,
    /// At this instant (UTC unless it says otherwise)
    #[arg(long, value_name = "TIMESTAMP")]
    at: Option<String>,
    /// How many rows
    #[arg(long, default_value_t = 20)]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let project = Project::open(directory)?;
    let asset = named(&arguments.asset)?;
    let at = match (arguments.version, &arguments.at) {
        (Some(version), _) => At::Version(version),
        (None, Some(time)) => At::Time(time.clone()),
        (None, None) => At::Now,
    };
    let reader = LakeReader::open(&project, &asset.table.lake)?;
    let table = reader.table(&asset.table.schema, &asset.table.table);
    if at == At::Now {
        reader.require(&table)?;
    }
    let query = format!("FROM {}{}", qualified(&asset.table), at.clause());
    if arguments.json {
        let columns = reader.columns(&table, &at)?;
        let columns: Vec<_> = columns
            .iter()
            .map(|column| serde_json::json!({ "name": column.name, "type": column.data_type }))
            .collect();
        let rows = reader.preview_json(&table, &at, arguments.limit)?;
        return output
            .json(&serde_json::json!({ "query": query, "columns": columns, "rows": rows }));
    }
    let found = reader.preview(&table, &at, arguments.limit)?;
    let header: Vec<&str> = found.columns.iter().map(String::as_str).collect();
    output.table(
        &header,
        found.rows.iter().map(|row| {
            (0..found.columns.len())
                .map(|column| {
                    row.optional_text(column)
                        .unwrap_or_else(|| "NULL".to_owned())
                })
                .collect()
        }),
    );
    output.note(&format!("{} row(s): {query}", found.rows.len()));
    Ok(())
}
