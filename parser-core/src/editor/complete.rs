//! Completion: what may stand at a place.

mod body;
mod header;
mod offers;

use super::boundary;
use super::context::CompletionContext;
use crate::source::Span;

/// Something that may be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// As a list shows it, and what a client filters by.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words beside the label: a column's type.
    pub detail: Option<String>,
    /// Its documentation, Markdown.
    pub documentation: Option<String>,
    /// What is written.
    pub insert_text: String,
    /// What is replaced: the word round the place, which `label` matches up to the place.
    pub replace: Span,
}

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    /// An annotation's keyword.
    Keyword,
    /// `name=`
    Option,
    /// An option without a value.
    Flag,
    /// A word of the grammar.
    Value,
    /// A time zone.
    TimeZone,
    /// The scheme of an asset's URI.
    Scheme,
    /// A lake.
    Lake,
    /// An asset.
    Asset,
    /// A column.
    Column,
    /// A test script.
    Test,
    /// A macro library.
    Library,
    /// `{partition}` and its like.
    Partition,
}

/// What may stand at byte `offset` of `text`, the likeliest first. Offers that do not hold what is
/// typed before the place are left out; a client may filter more strictly.
#[must_use]
pub fn complete(text: &str, offset: usize, context: &CompletionContext) -> Vec<Completion> {
    let offset = boundary(text, offset);
    let script = crate::parse(text).script;
    let header_end = script.header.span.end;
    let line = text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    if line < header_end || header_end == text.len() && line == header_end {
        header::complete(text, line, offset, &script, context)
    } else {
        body::complete(text, offset, &script, context)
    }
}
