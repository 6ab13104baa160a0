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
mod shape;
mod statements;
#[cfg(test)]
mod tests;
pub mod value;

pub use editor::{
    Completion, CompletionContext, CompletionKind, ContextAsset, Explanation, Hover, apply_fix,
    codes, complete_to_wire, explain, hover_to_wire, semantic_tokens_to_wire, token_classes,
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

use crate::validate::{Zones, validate};

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

/// Parses and validates `text`: the same shape, with the findings of both, in text order.
#[must_use]
pub fn validate_to_wire(text: &str, zones: &dyn Zones) -> Parsed {
    validate_with(text, zones, &ParseOptions { lineage: true })
}

/// The same, with what the options ask for.
#[must_use]
pub fn validate_with(text: &str, zones: &dyn Zones, options: &ParseOptions) -> Parsed {
    let parsed = crate::parse(text);
    let mut findings = parsed.diagnostics;
    findings.extend(validate(text, &parsed.script, zones));
    crate::diagnostic::in_text_order(&mut findings);
    Parsed::new(text, &parsed.script, &findings, options)
}
