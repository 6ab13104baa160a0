//! Hover: what stands under the cursor, and what is wrong there.

use super::anatomy::{Meaning, Part, parts};
use super::boundary;
use super::registry::{self, AnnotationOption, partition_doc};
use crate::asset::{Asset, AssetKind};
use crate::body::{AttachedAsset, Body, PartitionValue, SetupKind, StatementKind};
use crate::diagnostic::Diagnostic;
use crate::script::{Partitioned, Script};
use crate::source::Span;
use crate::validate::{Zones, validate};

/// What is to say about a place. One of the two parts is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// What it is about.
    pub span: Span,
    /// The meaning of what stands there, as Markdown.
    pub markdown: Option<String>,
    /// The findings there, each as Markdown with its rule.
    pub findings: Vec<String>,
}

/// A piece of the script and its meaning.
struct Meant {
    span: Span,
    markdown: String,
}

/// What is to say about byte `offset` of `text`: findings there, those of [`validate`] too, and the
/// meaning of the annotation, option, value, asset or token under it.
#[must_use]
pub fn hover(text: &str, offset: usize, zones: &dyn Zones) -> Option<Hover> {
    let offset = boundary(text, offset);
    let parsed = crate::parse(text);
    let mut findings = parsed.diagnostics;
    findings.extend(validate(text, &parsed.script, zones));
    let meaning = if offset < parsed.script.header.span.end || parsed.script.body.span.is_empty() {
        parts(text, parsed.script.header.span.end)
            .into_iter()
            .find(|part| touches(part.span, offset) && !matches!(part.meaning, Meaning::Plain))
            .map(|part| Meant {
                span: part.span,
                markdown: described(&part, &parsed.script),
            })
    } else {
        in_body(text, offset, &parsed.script)
    };
    let mut here: Vec<&Diagnostic> = findings
        .iter()
        .filter(|found| touches(found.span, offset))
        .collect();
    crate::sort::by(&mut here, |found| {
        [found.span.len(), found.severity as usize, 0]
    });
    let span = meaning
        .as_ref()
        .map(|found| found.span)
        .or(here.first().map(|found| found.span))?;
    Some(Hover {
        span,
        markdown: meaning.map(|found| found.markdown),
        findings: here.into_iter().map(finding).collect(),
    })
}

/// Whether `offset` is in `span` or at its end; an empty span has its place only.
fn touches(span: Span, offset: usize) -> bool {
    span.start <= offset && offset <= span.end
}

fn finding(found: &Diagnostic) -> String {
    let (id, name) = (found.code.id(), found.code.name());
    let hint = found
        .hint
        .as_ref()
        .map(|hint| format!(" Mend: {hint}."))
        .unwrap_or_default();
    format!("**{id}** `{name}`: {}.{hint}", found.message)
}

fn described(part: &Part, script: &Script) -> String {
    match &part.meaning {
        Meaning::Plain => String::new(),
        Meaning::Keyword(keyword) => registry::markdown(*keyword),
        Meaning::Option(option) => option_doc(option),
        Meaning::Word(word) => format!("`{}`: {}", word.word, word.doc),
        Meaning::Asset(asset) => asset_doc(asset),
        Meaning::Column(asset) => {
            let target = script
                .header
                .materialize
                .as_ref()
                .map(|line| &line.value.asset.value);
            match asset.as_ref().or(target) {
                Some(asset) => format!("Column of `{asset}`"),
                None => "Column of the target".to_owned(),
            }
        }
        Meaning::TimeZone => "IANA time zone in which the partition's calendar counts".to_owned(),
    }
}

fn option_doc(option: &AnnotationOption) -> String {
    let mut doc = format!("`{}`\n\n{}", option.syntax(), option.doc);
    for word in option.values() {
        doc.push_str(&format!("\n- `{}`: {}", word.word, word.doc));
    }
    doc
}

fn asset_doc(asset: &Asset) -> String {
    let path = &asset.path;
    let (what, parts) = match asset.kind {
        AssetKind::Ducklake => match asset.lake_table() {
            Some(table) => (
                "DuckLake table",
                format!(
                    "lake `{}`, schema `{}`, table `{}`",
                    table.lake, table.schema, table.table
                ),
            ),
            None => ("DuckLake", format!("lake `{path}`")),
        },
        AssetKind::Datatable => match path.split_once('/') {
            Some((database, table)) => (
                "PostgreSQL table",
                format!("database `{database}`, table `{table}`"),
            ),
            None => ("PostgreSQL database", format!("database `{path}`")),
        },
        AssetKind::S3Object => match path.strip_prefix('/') {
            Some(key) => ("S3 object", format!("default storage, key `{key}`")),
            None => {
                let (store, key) = path.split_once('/').unwrap_or((path, ""));
                ("S3 object", format!("storage `{store}`, key `{key}`"))
            }
        },
        AssetKind::Resource => ("Resource", format!("path `{path}`")),
        AssetKind::Volume => {
            let (volume, file) = path.split_once('/').unwrap_or((path, ""));
            (
                "File of a volume",
                format!("volume `{volume}`, path `{file}`"),
            )
        }
        AssetKind::Dbt => ("dbt model", format!("path `{path}`; only with `manual`")),
    };
    let partition = if asset.has_partition() {
        "\n\n`{partition}` in it stands for the slice of the run."
    } else {
        ""
    };
    format!("**{what}** `{asset}`\n\n{parts}{partition}")
}

fn in_body(text: &str, offset: usize, script: &Script) -> Option<Meant> {
    let Body {
        statements, assets, ..
    } = &script.body;
    let statement = statements
        .iter()
        .find(|statement| touches(statement.span, offset));
    let token = statement
        .into_iter()
        .flat_map(|statement| &statement.tokens)
        .find(|token| touches(token.span, offset));
    if let Some(token) = token {
        return Some(Meant {
            span: token.span,
            markdown: token_doc(token.value, script),
        });
    }
    let table = assets.iter().find_map(|used| {
        let span = *used.spans.iter().find(|span| touches(**span, offset))?;
        Some(Meant {
            span,
            markdown: asset_doc(&used.asset),
        })
    });
    let attached = statement.and_then(|statement| {
        let StatementKind::Setup(SetupKind::Attach(attach)) = &statement.kind else {
            return None;
        };
        let asset = match attach.asset.as_ref()? {
            AttachedAsset::Lake(name) => Asset::new(AssetKind::Ducklake, name),
            AttachedAsset::Datatable(name) => Asset::new(AssetKind::Datatable, name),
        };
        let span = attach.target.span;
        let markdown = format!(
            "{}, attached as `{}`",
            asset_doc(&asset),
            attach.alias_name()
        );
        touches(span, offset).then_some(Meant { span, markdown })
    });
    table
        .or(attached)
        .filter(|found| !found.span.slice(text).is_empty())
}

fn token_doc(value: PartitionValue, script: &Script) -> String {
    let partition = match script.header.partition.as_ref().map(|found| &found.value) {
        Some(Partitioned::Time(time)) => {
            let format = time
                .format
                .as_ref()
                .map_or(time.grain.default_format(), |format| format.value.as_str());
            let zone = time.tz.as_ref().map_or("UTC", |zone| zone.value.as_str());
            format!(
                "Here: {} slices in {zone}, identity `{format}`.",
                time.grain.as_str()
            )
        }
        Some(Partitioned::Dynamic { key }) => format!("Here: dynamic slices by `{}`.", key.value),
        None => "This script is not `partitioned`, so a run has no value for it.".to_owned(),
    };
    format!(
        "`{}`\n\n{}\n\n{partition}",
        value.token(),
        partition_doc(value)
    )
}
