//! The wire form: one documented, versioned JSON shape, the same natively and over wasm.
//!
//! Rules of the shape: camelCase; absent and default values are left out, the envelope (`version`,
//! `header`, `body`, `diagnostics`) never; every object that stands for a place in the script has a
//! `range`; members that are plain texts have theirs in the object's `ranges`, under their own name.

mod convert;
mod editor;
mod finding;
mod graph;
pub mod json;
mod options;
mod parsed;
mod plan;
mod script;
mod shape;
mod statements;
#[cfg(test)]
mod tests;
pub mod value;

pub use editor::{
    Completion, CompletionContext, CompletionKind, ContextAsset, Explanation, Hover, apply_fix,
    codes, complete_to_wire, definition_to_wire, hover_column_to_wire, hover_to_wire,
    semantic_tokens_to_wire, token_classes,
};
pub use graph::{
    GraphEdge, GraphEdgeKind, GraphNode, NodeKind, ProjectGraph, ScriptFile, ScriptFinding,
    graph_to_wire,
};
pub use options::ParseOptions;
pub use parsed::*;
pub use plan::{
    PlanOptions, PlanReply, WireCatalog, WireStage, WireStatement, WireTable, WireTarget,
    plan_reply, plan_to_wire,
};

use crate::lineage::{Schemas, trace};
use crate::validate::{Zones, parse_and_validate};

/// Version of the shape.
pub const VERSION: u32 = 1;

/// Parses `text` into the wire form, whole.
///
/// ```
/// let parsed = parser_core::wire::parse_to_wire("-- retry 3\nSELECT 1");
/// assert_eq!(parsed.header.retry.map(|retry| retry.count), Some(3));
/// ```
#[must_use]
pub fn parse_to_wire(text: &str) -> Parsed {
    parse_with(text, &ParseOptions { lineage: true })
}

/// The same, with what the options ask for.
#[must_use]
pub fn parse_with(text: &str, options: &ParseOptions) -> Parsed {
    let parsed = crate::parse(text);
    Parsed::new(text, &parsed.script, &parsed.diagnostics, options)
}

/// The compact JSON text of [`parse_with`].
///
/// ```
/// use parser_core::wire::{ParseOptions, parse_to_json};
/// let json = parse_to_json("-- retry 3\nSELECT 1", &ParseOptions::default());
/// assert!(json.starts_with(r#"{"version":1,"header":{"retry":{"count":3,"range":"#));
/// ```
#[inline]
#[must_use]
pub fn parse_to_json(text: &str, options: &ParseOptions) -> String {
    to_json(text, &crate::parse(text), options)
}

/// Parses and validates `text`: the same shape, with the findings of both, in text order.
#[must_use]
pub fn validate_to_wire(text: &str, zones: &dyn Zones) -> Parsed {
    validate_with(text, zones, &ParseOptions { lineage: true })
}

/// The same, with what the options ask for.
#[must_use]
pub fn validate_with(text: &str, zones: &dyn Zones, options: &ParseOptions) -> Parsed {
    let parsed = parse_and_validate(text, zones);
    Parsed::new(text, &parsed.script, &parsed.diagnostics, options)
}

/// The compact JSON text of [`validate_with`].
#[inline]
#[must_use]
pub fn validate_to_json(text: &str, zones: &dyn Zones, options: &ParseOptions) -> String {
    to_json(text, &parse_and_validate(text, zones), options)
}

/// Inlined, like what calls it, so that a program whose options never ask for lineage does not hold the code for it.
#[inline]
fn to_json(text: &str, parsed: &crate::Parsed, options: &ParseOptions) -> String {
    let (script, schemas) = (&parsed.script, Schemas::new());
    let lineage = options.lineage.then(|| trace(text, script, &schemas));
    script::text(text, script, &parsed.diagnostics, lineage.as_ref())
}
