//! What an editor asks, as JSON: offsets come in UTF-16 code units, ranges go out.

use serde::{Deserialize, Serialize};

use super::finding::{Fix, Severity};
use super::shape::{inputs, objects, reads, words};
use crate::asset::Asset;
use crate::diagnostic::{Code, CodeInfo};
use crate::editor::{self, KnownAsset, KnownColumn};
use crate::plan::sql::Column;
use crate::source::{LineIndex, Range, Span};
use crate::validate::Zones;

inputs! {
    /// What completion may offer beyond the script's own text. All parts may be left out.
    #[derive(Clone, Debug, Default)]
    pub struct CompletionContext {
        /// Names of lakes.
        #[cfg_attr(feature = "tsify", tsify(type = "string[] | undefined"))]
        pub lakes: Vec<String> = "lakes" or default,
        /// Known assets. One whose address is no asset is left out.
        #[cfg_attr(feature = "tsify", tsify(type = "ContextAsset[] | undefined"))]
        pub assets: Vec<ContextAsset> = "assets" or default,
        /// IANA time zones, such as those of `Intl.supportedValuesOf('timeZone')`.
        #[cfg_attr(feature = "tsify", tsify(type = "string[] | undefined"))]
        pub time_zones: Vec<String> = "timeZones" or default,
        /// Paths of test scripts.
        #[cfg_attr(feature = "tsify", tsify(type = "string[] | undefined"))]
        pub tests: Vec<String> = "tests" or default,
        /// Paths of macro libraries.
        #[cfg_attr(feature = "tsify", tsify(type = "string[] | undefined"))]
        pub libraries: Vec<String> = "libraries" or default,
    }

    /// A known asset.
    #[derive(Clone, Debug)]
    pub struct ContextAsset {
        /// `ducklake://lake/table`
        pub uri: String = "uri",
        /// Its columns in order, as far as they are known.
        #[cfg_attr(feature = "tsify", tsify(type = "Column[] | undefined"))]
        pub columns: Vec<Column> = "columns" or default,
        /// Known values of its columns, by their names.
        #[cfg_attr(feature = "tsify", tsify(type = "Record<string, string[]> | undefined"))]
        pub values: Vec<(String, Vec<String>)> = "values" or default,
    }
}

objects! {
    /// Something that may be written at a place.
    pub struct Completion {
        /// As a list shows it, and what it is filtered by.
        pub label: String,
        /// What it is.
        pub kind: CompletionKind,
        /// A few words beside the label.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub detail: Option<String>,
        /// Markdown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub documentation: Option<String>,
        /// What is written.
        pub insert_text: String,
        /// What it replaces.
        pub replace: Range,
    }

    /// What is to say about a place: the meaning of what stands there, findings there, or both.
    pub struct Hover {
        /// What it is about.
        pub range: Range,
        /// The meaning, as Markdown; absent when there are only findings.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub markdown: Option<String>,
        /// The findings, each as Markdown with the rule explained. For editors that do not show diagnostics in a hover by
        /// themselves.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub findings: Vec<String>,
    }

    /// The registry entry of a diagnostic code.
    pub struct Explanation {
        /// `LM001`
        pub code: String,
        /// Kebab-case name.
        pub name: String,
        /// Default severity.
        pub severity: Severity,
        /// A few words.
        pub title: String,
        /// One paragraph: the rule and why it is there.
        pub explanation: String,
        /// A script that triggers it.
        pub example: String,
        /// The same script, mended.
        pub mend: String,
    }
}

words! {
    /// What a completion is.
    pub enum CompletionKind from crate::editor::CompletionKind {
        Keyword = "keyword", Option = "option", Flag = "flag", Value = "value", TimeZone = "timeZone",
        Scheme = "scheme", Lake = "lake", Asset = "asset", Column = "column", Test = "test",
        Library = "library", Partition = "partition",
    }
}

impl From<CompletionContext> for editor::CompletionContext {
    fn from(wire: CompletionContext) -> Self {
        let mut assets = Vec::new();
        for known in wire.assets {
            let Some(asset) = Asset::parse_target(&known.uri) else {
                continue;
            };
            let mut columns = Vec::new();
            for Column { name, data_type } in known.columns {
                let of_column = known.values.iter().rev().find(|(of, _)| *of == name);
                let values = of_column.map_or_else(Vec::new, |(_, values)| values.clone());
                columns.push(KnownColumn {
                    name,
                    data_type,
                    values,
                });
            }
            assets.push(KnownAsset { asset, columns });
        }
        Self {
            lakes: wire.lakes,
            assets,
            time_zones: wire.time_zones,
            tests: wire.tests,
            libraries: wire.libraries,
        }
    }
}

impl From<CodeInfo> for Explanation {
    fn from(info: CodeInfo) -> Self {
        Self {
            code: info.id.to_owned(),
            name: info.name.to_owned(),
            severity: info.severity.into(),
            title: info.title.to_owned(),
            explanation: info.explanation.to_owned(),
            example: info.example.to_owned(),
            mend: info.mend.to_owned(),
        }
    }
}

/// What may stand at UTF-16 offset `utf16` of `text`, the likeliest first.
#[must_use]
pub fn complete_to_wire(text: &str, utf16: usize, context: CompletionContext) -> Vec<Completion> {
    let index = LineIndex::new(text);
    editor::complete(text, index.byte(utf16), &context.into())
        .into_iter()
        .map(|found| Completion {
            label: found.label,
            kind: found.kind.into(),
            detail: found.detail,
            documentation: found.documentation,
            insert_text: found.insert_text,
            replace: index.range(found.replace),
        })
        .collect()
}

/// What is to say about UTF-16 offset `utf16` of `text`.
#[must_use]
pub fn hover_to_wire(text: &str, utf16: usize, zones: &dyn Zones) -> Option<Hover> {
    let index = LineIndex::new(text);
    let found = editor::hover(text, index.byte(utf16), zones)?;
    Some(Hover {
        range: index.range(found.span),
        markdown: found.markdown,
        findings: found.findings,
    })
}

/// What is to say about the column that is named at UTF-16 offset `utf16` of `text`.
#[must_use]
pub fn hover_column_to_wire(text: &str, utf16: usize, context: CompletionContext) -> Option<Hover> {
    let index = LineIndex::new(text);
    let found = editor::hover_column(text, index.byte(utf16), &context.into())?;
    Some(Hover {
        range: index.range(found.span),
        markdown: found.markdown,
        findings: found.findings,
    })
}

/// Where the name at UTF-16 offset `utf16` of `text` is defined in it.
#[must_use]
pub fn definition_to_wire(text: &str, utf16: usize) -> Option<Range> {
    let index = LineIndex::new(text);
    Some(index.range(editor::definition(text, index.byte(utf16))?))
}

/// The semantic tokens of `text`, three numbers each: first UTF-16 unit, length in UTF-16 units,
/// and the class's place in [`token_classes`].
#[must_use]
pub fn semantic_tokens_to_wire(text: &str) -> Vec<u32> {
    let index = LineIndex::new(text);
    let unit = |at: usize| u32::try_from(index.utf16(at)).unwrap_or(u32::MAX);
    editor::semantic_tokens(text)
        .into_iter()
        .flat_map(|(span, class)| {
            let start = unit(span.start);
            [start, unit(span.end) - start, class as u32]
        })
        .collect()
}

/// Names of the classes of semantic tokens, in the order of their numbers.
#[must_use]
pub fn token_classes() -> Vec<String> {
    editor::TokenClass::ALL
        .iter()
        .map(|class| class.as_str().to_owned())
        .collect()
}

/// `text` with the edits of `fix`, which was found in it.
#[must_use]
pub fn apply_fix(text: &str, fix: &Fix) -> String {
    let edits = fix.edits.iter().map(|edit| crate::diagnostic::TextEdit {
        span: Span::new(edit.range.start, edit.range.end),
        text: edit.text.clone(),
    });
    let fix = crate::diagnostic::Fix {
        title: fix.title.clone(),
        edits: edits.collect(),
    };
    crate::diagnostic::apply(text, &fix)
}

/// The registry of diagnostic codes, in order.
#[must_use]
pub fn codes() -> Vec<Explanation> {
    Code::ALL.iter().map(|code| code.info().into()).collect()
}
