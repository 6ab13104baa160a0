//! `lakemill lineage`

use std::collections::{HashMap, HashSet};
use std::path::Path;

use parser_core::asset::{Asset, AssetKind};
use parser_core::graph::Node;
use parser_core::lineage::{Flow, flows};
use parser_core::script::ColumnRef;
use parser_core::source::LineIndex;
use serde::Serialize;

use super::check;
use super::failure::Failure;
use super::output::Output;
use crate::config::{Project, ScriptFile, Scripts};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lakemill lineage analytics/orders_daily\n  lakemill lineage analytics/orders_daily.amount\n  \
    lakemill lineage s3:///raw/orders.parquet.net --json"
)]
pub(super) struct Arguments {
    /// `lake/table` or another asset, and `.column` for one of its columns
    asset: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A column, and those that it is computed from, or that are computed from it.
#[derive(Debug, Serialize)]
struct Column {
    asset: String,
    column: String,
    /// The script that computes one of the two from the other, and the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// What it is computed from is not all known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unknown: bool,
    /// Its own columns stand where it is named first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    upstream: Vec<Column>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    downstream: Vec<Column>,
}

#[derive(Debug, Serialize)]
struct Found {
    asset: String,
    columns: Vec<Column>,
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

/// The flows of a project, by the columns on both sides.
struct Lineage<'a> {
    files: &'a [ScriptFile],
    lines: Vec<LineIndex>,
    flows: Vec<Flow>,
    /// Flows that write a column.
    writes: HashMap<(String, String), Vec<usize>>,
    /// Flows that read it.
    reads: HashMap<(String, String), Vec<usize>>,
    /// Columns of each asset, as spelled first, in order of first mention.
    columns: HashMap<String, Vec<ColumnRef>>,
}

/// A column's identity: names compare without case.
fn key(column: &ColumnRef) -> (String, String) {
    (column.asset.id(), column.column.to_ascii_lowercase())
}

impl<'a> Lineage<'a> {
    fn new(files: &'a [ScriptFile]) -> Self {
        let scripts: Vec<_> = files
            .iter()
            .map(|file| parser_core::parse(&file.text).script)
            .collect();
        let nodes: Vec<Node<'_>> = files
            .iter()
            .zip(&scripts)
            .map(|(file, script)| Node {
                path: &file.name,
                script,
            })
            .collect();
        let texts: Vec<&str> = files.iter().map(|file| file.text.as_str()).collect();
        let mut lineage = Self {
            files,
            lines: texts.iter().map(|text| LineIndex::new(text)).collect(),
            flows: flows(&nodes, &texts),
            writes: HashMap::new(),
            reads: HashMap::new(),
            columns: HashMap::new(),
        };
        // An asset is known even if none of its columns is.
        for script in &scripts {
            let target = script.header.materialize.iter();
            let target = target.map(|line| &line.value.asset.value);
            for asset in target.chain(script.body.assets.iter().map(|used| &used.asset)) {
                lineage.columns.entry(asset.id()).or_default();
            }
        }
        let mut seen = HashSet::new();
        for (at, flow) in lineage.flows.iter().enumerate() {
            lineage
                .writes
                .entry(key(&flow.output))
                .or_default()
                .push(at);
            for input in flow.inputs.iter().flatten() {
                lineage.reads.entry(key(input)).or_default().push(at);
            }
            for column in std::iter::once(&flow.output).chain(flow.inputs.iter().flatten()) {
                if seen.insert(key(column)) {
                    let columns = lineage.columns.entry(column.asset.id()).or_default();
                    columns.push(column.clone());
                }
            }
        }
        lineage
    }

    /// The asset that a text names, and the column behind its last dot.
    fn find(&self, text: &str) -> Option<(Asset, Option<String>)> {
        let known = |text: &str| {
            let uri = if text.contains("://") || text.starts_with('$') {
                text.to_owned()
            } else {
                format!("{}{text}", AssetKind::Ducklake.scheme())
            };
            Asset::parse_uri(&uri).filter(|asset| self.columns.contains_key(&asset.id()))
        };
        known(text).map(|asset| (asset, None)).or_else(|| {
            let (asset, column) = text.rsplit_once('.')?;
            Some((known(asset)?, Some(column.trim_matches('"').to_owned())))
        })
    }

    /// A column with all that lies behind it in one direction.
    fn column(
        &self,
        column: &ColumnRef,
        flow: Option<&Flow>,
        direction: Direction,
        seen: &mut HashSet<(String, String)>,
    ) -> Column {
        let key = key(column);
        let next = match direction {
            Direction::Up => self.writes.get(&key),
            Direction::Down => self.reads.get(&key),
        };
        let next = next.map_or(&[][..], Vec::as_slice);
        let mut found = Column {
            asset: column.asset.to_string(),
            column: column.column.clone(),
            script: flow.map(|flow| self.files[flow.script].name.clone()),
            line: flow.map(|flow| self.lines[flow.script].range(flow.output.span).start_line),
            unknown: matches!(direction, Direction::Up)
                && next.iter().any(|&at| self.flows[at].inputs.is_none()),
            repeated: !next.is_empty() && !seen.insert(key),
            upstream: Vec::new(),
            downstream: Vec::new(),
        };
        if found.repeated {
            return found;
        }
        for flow in next.iter().map(|&at| &self.flows[at]) {
            match direction {
                Direction::Up => {
                    for input in flow.inputs.iter().flatten() {
                        let input = self.column(input, Some(flow), direction, seen);
                        found.upstream.push(input);
                    }
                }
                Direction::Down => {
                    let output = self.column(&flow.output, Some(flow), direction, seen);
                    found.downstream.push(output);
                }
            }
        }
        found
    }
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let project = Project::open(directory)?;
    let Scripts { files, unreadable } = project.scripts();
    check::report_unreadable(&unreadable, output);
    let lineage = Lineage::new(&files);
    let (asset, column) = lineage.find(&arguments.asset).ok_or_else(|| {
        Failure::Usage(format!(
            "`{}` is no asset that a script reads or writes, and no column of one: write `lake/table` or `lake/table.column`",
            arguments.asset
        ))
    })?;
    let known = lineage
        .columns
        .get(&asset.id())
        .map_or(&[][..], Vec::as_slice);
    let wanted: Vec<&ColumnRef> = known
        .iter()
        .filter(|known| {
            let is = |column: &String| column.eq_ignore_ascii_case(&known.column);
            column.as_ref().is_none_or(is)
        })
        .collect();
    if let (Some(column), []) = (&column, wanted.as_slice()) {
        return Err(Failure::Usage(format!(
            "no script is known to write or read a column `{column}` of {asset}; `lakemill lineage {asset}` lists those that are known"
        )));
    }
    let found = Found {
        asset: asset.to_string(),
        columns: wanted
            .into_iter()
            .map(|column| {
                let up = lineage.column(column, None, Direction::Up, &mut HashSet::new());
                let down = lineage.column(column, None, Direction::Down, &mut HashSet::new());
                Column {
                    downstream: down.downstream,
                    ..up
                }
            })
            .collect(),
    };
    // What they say of the columns is not known.
    let done = Failure::of_reports(unreadable.is_empty(), false);
    if arguments.json {
        output.json(&found)?;
        return done;
    }
    if found.columns.is_empty() {
        output.line(&format!(
            "no column of {asset} is known to be read or written"
        ));
    }
    for column in &found.columns {
        output.heading(&label(column));
        let (up, down) = (column.upstream.as_slice(), column.downstream.as_slice());
        section("computed from", up, !down.is_empty(), Direction::Up, output);
        if column.upstream.is_empty() && column.unknown {
            output.line("  computed from: not known");
        }
        section("used by", down, false, Direction::Down, output);
    }
    done
}

fn label(column: &Column) -> String {
    let asset = column
        .asset
        .strip_prefix(AssetKind::Ducklake.scheme())
        .unwrap_or(&column.asset);
    format!("{asset}.{}", column.column)
}

fn section(title: &str, columns: &[Column], follows: bool, direction: Direction, output: &Output) {
    if columns.is_empty() {
        return;
    }
    let (branch, stem) = if follows {
        ("├─", "│  ")
    } else {
        ("└─", "   ")
    };
    output.line(&format!("{branch} {title}"));
    tree(columns, stem, direction, output);
}

fn tree(columns: &[Column], stem: &str, direction: Direction, output: &Output) {
    for (at, column) in columns.iter().enumerate() {
        let is_last = at + 1 == columns.len();
        let mut line = format!(
            "{stem}{} {}",
            if is_last { "└─" } else { "├─" },
            label(column)
        );
        if let (Some(script), Some(at)) = (&column.script, column.line) {
            line.push_str(&format!("  ({script}:{at})"));
        }
        if column.unknown {
            line.push_str("  (computed from columns that are not known)");
        }
        if column.repeated {
            line.push_str("  (see above)");
        }
        output.line(&line);
        let next = match direction {
            Direction::Up => &column.upstream,
            Direction::Down => &column.downstream,
        };
        let stem = format!("{stem}{}", if is_last { "   " } else { "│  " });
        tree(next, &stem, direction, output);
    }
}
