//! The texts that are compared.

use parser_core::wire::{self, PlanReply, ProjectGraph, ScriptFile};
use serde::Serialize;

use crate::Case;

/// The wire form with all diagnostics, as pretty JSON.
#[must_use]
pub fn parse(case: &Case) -> String {
    json(&wire::validate_to_wire(&case.text, &KnownZones))
}

/// The diagnostics as text.
#[must_use]
pub fn diagnostics(case: &Case) -> String {
    let parsed = wire::validate_to_wire(&case.text, &KnownZones);
    let paragraphs: Vec<String> = parsed
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let range = &diagnostic.range;
            let mut text = format!(
                "{}:{}-{}:{} {} {} {}\n  {}",
                range.start_line,
                range.start_column,
                range.end_line,
                range.end_column,
                diagnostic.severity,
                diagnostic.code,
                diagnostic.name,
                diagnostic.message
            );
            if let Some(hint) = &diagnostic.hint {
                text.push_str(&format!("\n  hint: {hint}"));
            }
            if let Some(fix) = &diagnostic.fix {
                text.push_str(&format!("\n  fix: {}", fix.title));
            }
            text
        })
        .collect();
    if paragraphs.is_empty() {
        "none".to_owned()
    } else {
        paragraphs.join("\n")
    }
}

/// The plan, when the case asks for one.
#[must_use]
pub fn plan(case: &Case) -> Option<PlanReply> {
    case.options
        .plan
        .as_ref()
        .map(|options| wire::plan_to_wire(&case.text, options))
}

/// The graph of the case and its other scripts, when it has some.
#[must_use]
pub fn graph(case: &Case) -> Option<ProjectGraph> {
    let others = case.options.files.iter().map(|(path, lines)| ScriptFile {
        path: path.clone(),
        text: lines.join("\n"),
    });
    let own = ScriptFile {
        path: "case.sql".to_owned(),
        text: case.text.clone(),
    };
    let files: Vec<ScriptFile> = std::iter::once(own).chain(others).collect();
    (files.len() > 1).then(|| wire::graph_to_wire(&files))
}

/// Codes that the snapshots of a case name.
#[must_use]
pub fn codes(case: &Case) -> Vec<String> {
    let parsed = wire::validate_to_wire(&case.text, &KnownZones).diagnostics;
    let planned = plan(case).map(|plan| plan.diagnostics).unwrap_or_default();
    let between = graph(case).map(|graph| graph.findings).unwrap_or_default();
    parsed
        .into_iter()
        .chain(planned)
        .chain(between.into_iter().map(|found| found.diagnostic))
        .map(|found| found.code)
        .collect()
}

/// Pretty JSON.
#[must_use]
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|error| error.to_string())
}

/// The time zones that cases use. A fixed list, so that the corpus does not depend on the
/// time-zone database of the machine or the browser.
pub struct KnownZones;

impl parser_core::validate::Zones for KnownZones {
    fn is_known(&self, name: &str) -> bool {
        name == "UTC" || self.has_fold(name) || name == "Asia/Tokyo"
    }

    fn has_fold(&self, name: &str) -> bool {
        matches!(name, "America/New_York" | "Europe/Paris")
    }
}
